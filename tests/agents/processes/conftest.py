import pytest

from agents.process_agent import ProcessLimits
from agents.processes.agent import SubprocessAgent
from agents.specs import sources


@pytest.fixture
def engine(tmp_path):
    """A function that starts an engine from its spec, in a fresh folder; what was started ends with the test."""
    started = []

    def start(text, start_timeout=5.0):
        agent = SubprocessAgent(sources.command(text, str(tmp_path)), ProcessLimits(start_timeout=start_timeout))
        started.append(agent)
        return agent

    yield start
    for agent in started:
        agent.close()

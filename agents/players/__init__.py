"""The kinds of agents, one a file; `agents.specs.registry` names them."""

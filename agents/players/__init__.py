"""The kinds of agents, one a file; `agents.registry` names them."""

"""Search trees: the nodes that an agent's search visits, in their order, and those that it cuts off."""

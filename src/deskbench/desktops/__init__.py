"""Live desktops: implementations of the Desktop port, and the contract that they all keep."""

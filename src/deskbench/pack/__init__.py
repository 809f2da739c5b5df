"""Loading, linting and certifying tasks."""

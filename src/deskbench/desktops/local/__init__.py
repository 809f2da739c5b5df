"""The desktop on a plain Debian machine: bubblewrap and Xvfb inside, the control plane outside."""

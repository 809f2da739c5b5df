"""The machine under the desktops: what it lacks, what is installed on it, how fast it is."""

"""The suite runs without a network, and cannot run with one."""

import socket

import pytest


def test_a_test_that_opens_a_socket_fails_unless_it_says_so():
    for attempt in (
        socket.socket,
        lambda: socket.create_connection(("192.0.2.1", 443)),
        lambda: socket.getaddrinfo("example.com", 443),
    ):
        with (
            pytest.warns(UserWarning, match="tried to use"),
            pytest.raises(RuntimeError, match="tried to use"),
        ):
            attempt()

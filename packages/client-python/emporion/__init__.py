"""A client for Emporion: REST here, and the modules ``stream``, ``fast_lane`` and ``webhooks``.

``operations`` has a function for every REST operation, ``contract`` the types of all that is sent and told.
"""

from . import contract, operations
from .calls import Answered
from .client import AsyncEmporionClient, EmporionClient
from .credentials import TokenSource
from .errors import ApiError, FaultyField, NoAnswer
from .requests import ListRequest, Request

__all__ = [
    "Answered",
    "ApiError",
    "AsyncEmporionClient",
    "EmporionClient",
    "FaultyField",
    "ListRequest",
    "NoAnswer",
    "Request",
    "TokenSource",
    "contract",
    "operations",
]

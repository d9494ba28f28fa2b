"""Channels to gRPC servers of this machine."""

import grpc


def open_channel(wrong_version=None):
    """Gives a function that opens a channel to an address; calls over it say `wrong_version` instead of their own."""
    interceptors = [] if wrong_version is None else [_Saying(wrong_version)]
    return lambda address: grpc.aio.insecure_channel(address, interceptors=interceptors)


class _Saying(grpc.aio.UnaryUnaryClientInterceptor):
    """Says another version than the client does, on its way out."""

    def __init__(self, version):
        self._version = version

    async def intercept_unary_unary(self, continuation, client_call_details, request):
        metadata = grpc.aio.Metadata(*(client_call_details.metadata or ()))
        metadata['a2a-version'] = self._version
        return await continuation(client_call_details._replace(metadata=metadata), request)

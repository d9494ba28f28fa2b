import { Server, ServerCredentials } from "@grpc/grpc-js";

/** Serves the gRPC services that `mount` adds on a free port of this machine; gives its address, `host:port`. */
export async function listenGrpc(mount: (server: Server) => void): Promise<string> {
  const server = new Server();
  mount(server);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return `127.0.0.1:${port}`;
}

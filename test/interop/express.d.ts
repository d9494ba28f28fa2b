/** The little of Express that tests and benches use; it ships no types of its own. */
declare module "express" {
  import type { IncomingMessage, Server, ServerResponse } from "node:http";

  export type Request = IncomingMessage;
  export type RequestHandler = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => unknown;
  export type ErrorRequestHandler = (
    error: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => unknown;
  export type Express = Application;
  export interface Application {
    use(path: string, handler: RequestHandler): Application;
    disable(setting: string): Application;
    /** Calls `ready` when it listens, or with what went wrong. */
    listen(port: number, host: string, ready?: (error?: Error) => void): Server;
  }
  // eslint-disable-next-line no-restricted-exports -- the shape of the package
  export default function express(): Application;
}

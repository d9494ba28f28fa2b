/** What the tests of adapters use of Express 4 and 5 beside the little in test/interop. */
declare module "express" {
  interface Application {
    use(...handlers: unknown[]): Application;
    get(path: string, handler: RequestHandler): Application;
  }
  export function json(): RequestHandler;
}

declare module "express4" {
  import express, { json } from "express";
  export { json };
  // eslint-disable-next-line no-restricted-exports -- the shape of the package
  export default express;
}

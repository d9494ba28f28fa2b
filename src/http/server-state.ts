/** What of a server's life its edge must know; whoever shuts it down sets it. */
export interface ServerState {
  /** The server ends: it is not ready for more, and says so. */
  draining: boolean;
}

/** The state of a server that begins. */
export const createServerState = (): ServerState => ({ draining: false });

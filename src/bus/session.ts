/** One connection to the service behind a bus; when it has ended, the next one is opened. */
export interface Session {
  /** Sends in order. Rejects where not all is known to have arrived. */
  send(texts: readonly string[]): Promise<void>;
  /** Ends its sockets, and with that the session; also after it was lost. */
  close(): Promise<void>;
}

/** Whom a session tells. */
export interface SessionEvents {
  readonly text: (text: string) => void;
  /** The connection was lost or closed; the first call counts. `why` holds no credential. */
  readonly ended: (why: string) => void;
  /** The bus is closed: give up opening. */
  readonly signal: AbortSignal;
}

/** Opens a session. Rejects with an `A2AError`: `CONFIG` where trying again is of no use as things are, else `NETWORK`. */
export type OpenSession = (events: SessionEvents) => Promise<Session>;

import type { GrpcDraft } from "./grpc-drafts.js";
import { mutateGrpc, type GrpcAttack } from "./grpc-mutate.js";
import { GrpcWire, type GrpcReply } from "./grpc-wire.js";
import type { Random } from "./random.js";
import { LEAKS } from "./verdict.js";

/** What one call came to: its mutations, an outcome for the counts, and what was wrong with it. */
export interface GrpcOutcome {
  readonly kinds: readonly string[];
  readonly outcome: string;
  readonly problem: string | undefined;
}

/** Attacks over some connections; each call is a mutation of a good one for a task. */
export function grpcAttacker(port: number, connections: number, random: Random) {
  const wires = Array.from({ length: connections }, () => new GrpcWire(port));
  return {
    wires,
    close(): void {
      for (const wire of wires) wire.close();
    },
    async attack(wire: GrpcWire, drafts: readonly GrpcDraft[]): Promise<GrpcOutcome> {
      const attack = mutateGrpc(random.pick(drafts), drafts, random);
      const reply = await wire.send(attack);
      const wrong = grpcProblemOf(attack, reply);
      const outcome = reply.kind === "status" ? String(reply.status) : reply.kind;
      const call = `${JSON.stringify(attack.headers).slice(0, 300)} ${attack.body.toString("hex").slice(0, 1_200)}`;
      const problem =
        wrong === undefined ? undefined : `${wrong}\n  ${call}\n  ${JSON.stringify(reply).slice(0, 400)}`;
      return { kinds: attack.kinds, outcome, problem };
    },
  };
}

/** UNKNOWN, INTERNAL, DATA_LOSS: a fault of ours, never of the caller. */
const OURS = [2, 13, 15];

/**
 * What is wrong with the answer to a call; undefined where nothing is. The package itself refuses broken frames, metadata that
 * gRPC knows, and bytes that are no message of the health service, which is not one of A2A.
 */
export function grpcProblemOf(
  { framed, kinds, headers }: GrpcAttack,
  { kind, status = 0, text }: GrpcReply,
): string | undefined {
  const leak = LEAKS.exec(text);
  if (leak) return `leaks ${JSON.stringify(leak[0])}`;
  if (kind === "silent") return "no end";
  if (!framed || kind === "streams") return undefined;
  const byPackage = kinds.includes("metadata") || headers[":path"]?.startsWith("/grpc.health.") === true;
  if (kind === "reset" || kind === "http") return byPackage ? undefined : `no status (${kind})`;
  if (!(status >= 0 && status <= 16)) return `status ${String(status)}`;
  if (OURS.includes(status) && !byPackage) return `status ${String(status)}`;
  return status !== 0 && text.trim() === "" ? "a status without a message" : undefined;
}

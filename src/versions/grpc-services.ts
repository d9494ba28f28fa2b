import { grpcLines } from "../../generated/grpc-lines.js";
import type { GrpcService } from "../descriptor.js";

const lines: Readonly<Record<string, () => Promise<{ readonly grpc: GrpcService }>>> = grpcLines;

/** The versions that gRPC speaks, newest first. */
export const grpcVersions: readonly string[] = Object.keys(lines).map((name) => name.replace(/\/.*/, ""));

/** A version (`1.0`, `0.3`) as gRPC speaks it, in the form that it has there; undefined where gRPC does not speak it. */
export async function loadGrpcService(version: string): Promise<GrpcService | undefined> {
  for (const name of [version, `${version}/proto`]) {
    const load = Object.hasOwn(lines, name) ? lines[name] : undefined;
    if (load !== undefined) return (await load()).grpc;
  }
  return undefined;
}

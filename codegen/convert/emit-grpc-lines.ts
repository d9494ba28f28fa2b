import { object, quote } from "../emit/code.js";
import { createFile } from "../emit/file.js";
import { hasGrpc } from "../emit/grpc.js";
import { FORM_FOLDER } from "../ir/form.js";
import type { Model } from "../ir/types.js";
import { HEADER } from "./emit-lines.js";

/**
 * `grpc-lines.ts`: the versions and forms that gRPC speaks, newest first, loaded when asked for. Apart from `lines.ts`, for a
 * program without gRPC carries none of them.
 */
export function emitGrpcLines(models: readonly Model[]): string {
  const file = createFile();
  file.declare("grpcLines");
  const spoken = [...models]
    .reverse()
    .flatMap((model) => [
      ...(hasGrpc(model) ? [[model.version, model.line] as const] : []),
      ...(model.form !== undefined && hasGrpc(model.form)
        ? [[`${model.version}/${FORM_FOLDER}`, model.form.line] as const]
        : []),
    ]);
  file.constant({
    name: "grpcLines",
    doc: "The versions, or forms of them, that gRPC speaks, newest first; each is loaded when asked for.",
    value: `${object(spoken.map(([name, line]) => [name, `() => import(${quote(`./${line}/grpc.js`)})`]))} as const`,
  });
  return file.text(HEADER);
}

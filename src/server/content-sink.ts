import type { ArtifactWriter, Content, Result, Yield } from "./agent-types.js";
import { isArtifact, toParts } from "./content.js";
import type { Run } from "./run.js";

/** Where the content that a generator yields goes. */
export interface ContentSink {
  /** Pending while the generator should wait. */
  take(content: Yield): Promise<void> | undefined;
  end(): Promise<void>;
  /** What the generator's content comes to, where it returned nothing. */
  result(): Result;
}

/** Text and parts grow one artifact; an artifact stands for itself. */
export function artifactSink(run: Run): ContentSink {
  const { ctx } = run;
  let writer: ArtifactWriter | undefined;
  return {
    take(content) {
      if (isArtifact(content)) {
        ctx.artifact(content);
      } else {
        writer ??= ctx.open();
        void writer.write(content);
      }
      return ctx.ready();
    },
    async end() {
      // An outcome that the generator gave has closed it.
      if (!run.ended) await writer?.close();
    },
    result: () => undefined,
  };
}

/** Without a task, all content becomes one message. */
export function messageSink(): ContentSink {
  const parts: Content[] = [];
  let text = "";
  const endText = (): void => {
    if (text !== "") parts.push(text);
    text = "";
  };
  return {
    take(content) {
      if (typeof content === "string") {
        text += content;
      } else {
        endText();
        parts.push(isArtifact(content) ? content.parts : content);
      }
      return undefined;
    },
    end: () => Promise.resolve(),
    result() {
      endText();
      return parts.flatMap(toParts);
    },
  };
}

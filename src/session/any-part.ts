import type {
  Artifact as PivotArtifact,
  Message as PivotMessage,
  Part as PivotPart,
} from "../versions/pivot.js";
import type { Artifact, Message, Part } from "./a2a-types.js";
import { toPart } from "./from-pivot.js";

/** An artifact in the shape of any version. */
export type AnyArtifact = Artifact | PivotArtifact;

/** A message in the shape of any version. */
export type AnyMessage = Message | PivotMessage;

/** The parts of a message or an artifact of any version, in the shape of 0.3. */
export const partsOf = ({ parts }: AnyArtifact | AnyMessage): readonly Part[] =>
  parts.map((part: Part | PivotPart) => ("kind" in part ? part : toPart(part)));

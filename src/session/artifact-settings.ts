/** How much of artifacts a model gets to see, in characters. */
export class ArtifactSettings {
  /** Above this, artifacts are minimized in the answers of `sendMessage` and `getTask`: 50,000. */
  readonly sendMessageCharacterLimit: number;
  /** Longest text inside of a minimized object: 5,000. */
  readonly minimizedObjectStringLength: number;
  /** Most that `viewTextArtifact` and `viewDataArtifact` show: 50,000. */
  readonly viewArtifactCharacterLimit: number;

  constructor(settings: Partial<ArtifactSettings> = {}) {
    this.sendMessageCharacterLimit = settings.sendMessageCharacterLimit ?? DEFAULT_LIMIT;
    this.minimizedObjectStringLength = settings.minimizedObjectStringLength ?? DEFAULT_STRING_LENGTH;
    this.viewArtifactCharacterLimit = settings.viewArtifactCharacterLimit ?? DEFAULT_LIMIT;
  }
}

/** Default of every limit of characters. */
export const DEFAULT_LIMIT = 50_000;

/** Default of `minimizedObjectStringLength`. */
export const DEFAULT_STRING_LENGTH = 5_000;

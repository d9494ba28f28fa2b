import type { Random } from "../hostile/random.js";
import { startInstance, type Instance } from "./instance.js";
import type { Settings } from "./processes/settings.js";

/** Instances on one store. */
export class Cluster implements AsyncDisposable {
  readonly #file: string;
  readonly #settings: Settings;
  readonly #random: Random;
  #all: Instance[] = [];

  constructor(file: string, settings: Settings, random: Random) {
    this.#file = file;
    this.#settings = settings;
    this.#random = random;
  }

  /** Those that run. */
  get up(): readonly Instance[] {
    return this.#all.filter(({ isUp }) => isUp);
  }

  /** One that runs, by chance. */
  any(): Instance {
    return this.#random.pick(this.up);
  }

  /** One more, with settings of its own where it needs them. */
  async start(own: Partial<Settings> = {}): Promise<Instance> {
    this.#all = this.#all.filter(({ isUp }) => isUp);
    const instance = await startInstance(this.#file, { ...this.#settings, ...own });
    this.#all.push(instance);
    return instance;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map((instance) => instance.kill()));
  }
}

import { Data } from "effect"

/** The write was decided on an outdated state: nothing of it was written. */
export class Outdated extends Data.TaggedError("Outdated") {}

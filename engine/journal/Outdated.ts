import { Data } from "effect"

/** What was to be written was decided on what is not so: nothing of it was written. */
export class Outdated extends Data.TaggedError("Outdated") {}

import { Layer } from "effect"
import { BundledFiles } from "../BundledFiles.ts"
import { readBeside } from "./BesideProgram.ts"

/** What the bundle of a program has beside it. */
export const layer: Layer.Layer<never> = Layer.succeed(BundledFiles, readBeside)

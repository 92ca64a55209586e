import { Context } from "effect"

/** Reads a file that was made when the program was bundled. Nothing: it runs from its sources, and makes it itself. */
export const BundledFiles = Context.Reference<(name: string) => Uint8Array<ArrayBuffer> | undefined>(
  "emporion/runtime/BundledFiles",
  { defaultValue: () => () => undefined }
)

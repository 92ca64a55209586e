import { Context } from "effect"

/**
 * What is left are the references of the runtime: what runs here has its services, and whoever adds one copies all that
 * there are.
 */
export const withoutServices = (context: Context.Context<never>): Context.Context<never> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !key.startsWith("emporion/"))))

/** How many times as often as usual something has to run during a start before it is compiled: docs/operating/running.md says why. */
const RELUCTANCE = 4

const USUAL = 1

/** Earlier versions of Bun compile as usual from the beginning. */
const setPolicy = (scale: number): void => {
  if ("setJITPolicy" in Bun.unsafe) Bun.unsafe.setJITPolicy(scale)
}

/** Compiles reluctantly from now on. A program says so before it loads what it runs, so this module loads nothing. */
export const compileReluctantly = (): void => setPolicy(RELUCTANCE)

/** Compiles as usual from now on. */
export const compileAsUsual = (): void => setPolicy(USUAL)

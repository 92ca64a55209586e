import { lazy, Suspense } from "react"
import type { ComponentProps } from "react"
import { Waiting } from "./States.tsx"

const Drawn = lazy(() => import("./DrawnChart.tsx"))

/**
 * A chart of times and values, drawn by lightweight-charts, which is loaded when the first chart is seen:
 * `<Chart label="Price of XAU" lines={[{ name: "Price", points: [{ time: millis, value }] }]} format={price} />`
 */
export const Chart = (props: ComponentProps<typeof Drawn>) => (
  <Suspense fallback={<Waiting lines={5} />}>
    <Drawn {...props} />
  </Suspense>
)

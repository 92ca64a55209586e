/** The simulation's worker in a browser, with a ledger that keeps a unit of every capture. */
import { platform } from "../../src/dashboard/app/simulation/BrowserPlatform.ts"
import { serveRecordings } from "../../src/dashboard/app/simulation/RecordingService.ts"
import { KEEPS_UNITS } from "./AlteredLedger.ts"

serveRecordings({ ...platform, planted: KEEPS_UNITS })

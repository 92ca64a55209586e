/** A thread that simulates what it is sent, with a ledger that keeps a unit of every capture. */
import { serveSeeds } from "../../scripts/sweep/SeedService.ts"
import { PLANTED_BUGS } from "./PlantedBugs.ts"

serveSeeds(PLANTED_BUGS["ledger"]?.["keeps a unit of every capture"])

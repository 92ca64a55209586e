/** A thread that simulates what it is sent. */
import { serveSeeds } from "./SeedService.ts"

serveSeeds()

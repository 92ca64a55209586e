/** The worker of the page: simulates with the program as it is. */
import { platform } from "./BrowserPlatform.ts"
import { serveRecordings } from "./RecordingService.ts"

serveRecordings(platform)

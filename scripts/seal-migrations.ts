/** Seals migrations that are new: `bun scripts/seal-migrations.ts`. One that was sealed and has changed is refused. */
import { writeFileSync } from "node:fs"
import { registry } from "../src/database/migrations/Registry.ts"
import { readSeals, SEALS, sealOf } from "./MigrationSeal.ts"

const seals = readSeals()
const names = new Set(registry.map(({ name }) => name))
const broken = [
  ...registry.filter((one) => seals.has(one.name) && seals.get(one.name) !== sealOf(one)).map(({ name }) => name),
  ...[...seals.keys()].filter((name) => !names.has(name))
]
if (broken.length > 0) {
  console.error(`sealed migrations were changed or removed: ${broken.join(", ")}. Write a new one instead.`)
  process.exit(1)
}
writeFileSync(SEALS, registry.map((migration) => `${sealOf(migration)}  ${migration.name}\n`).join(""))
console.log(`${registry.length - seals.size} sealed, ${registry.length} in all`)

import { fuzzEveryOperation } from "../../lib/ContractFuzz.ts"

fuzzEveryOperation(500)

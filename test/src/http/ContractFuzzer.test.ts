import { fuzzEveryOperation, sendUnknownFields } from "../../lib/ContractFuzz.ts"

fuzzEveryOperation(12)
sendUnknownFields()

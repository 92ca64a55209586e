import { fuzzEveryOperation, sendUnknownFields } from "../../lib/ContractFuzz.ts"

fuzzEveryOperation(3)
sendUnknownFields()

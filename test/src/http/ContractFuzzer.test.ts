import { fuzzEveryOperation, sendUnknownFields } from "../../lib/ContractFuzz.ts"

fuzzEveryOperation(20)
sendUnknownFields()

import type { SealedColumn } from "./identity/secrets/SealedColumn.ts"
import { sealedPrivateKeys } from "./identity/tokens/SigningKeys.ts"
import { sealedKeys } from "./kyc/KycSeal.ts"
import { sealedNumbers } from "./transfers/Beneficiaries.ts"
import { sealedSecrets } from "./webhooks/WebhookSecretRepository.ts"

/** Every column that is sealed under `SECRET_KEY`, as its context declares it. What is not here is lost when the key changes. */
export const SEALED_COLUMNS: ReadonlyArray<SealedColumn> = [sealedPrivateKeys, sealedKeys, sealedNumbers, sealedSecrets]

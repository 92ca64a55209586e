import { Layer } from "effect"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import { Mail } from "../mail/Mail.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { AccountRepository } from "./AccountRepository.ts"
import { ApiClientRepository } from "./ApiClientRepository.ts"
import { ApiClients } from "./ApiClients.ts"
import { AuditLog } from "./AuditLog.ts"
import { AuditLogRepository } from "./AuditLogRepository.ts"
import { CompanyOutboxRepository } from "./CompanyOutboxRepository.ts"
import { CompanyUsers } from "./CompanyUsers.ts"
import { DeletedClients } from "./DeletedClients.ts"
import { EmailVerification } from "./EmailVerification.ts"
import { FirstAdmin } from "./FirstAdmin.ts"
import type { KycRecords } from "./KycRecords.ts"
import { LoginAttempts } from "./LoginAttempts.ts"
import { MailTokenRepository } from "./MailTokenRepository.ts"
import { MailTokens } from "./MailTokens.ts"
import { MoneyGate } from "./MoneyGate.ts"
import { Owners } from "./Owners.ts"
import { PasswordChanges } from "./PasswordChanges.ts"
import { Passwords } from "./Passwords.ts"
import { ExternalIdentities } from "./providers/ExternalIdentities.ts"
import { ExternalIdentityRepository } from "./providers/ExternalIdentityRepository.ts"
import { IdentityProvider } from "./providers/IdentityProvider.ts"
import { PendingSignIns } from "./providers/PendingSignIns.ts"
import { SandboxProvider } from "./providers/SandboxProvider.ts"
import { ShopPlatform } from "./providers/ShopPlatform.ts"
import { SpentSignInRepository } from "./providers/SpentSignInRepository.ts"
import { RefreshTokenRepository } from "./RefreshTokenRepository.ts"
import { RefreshTokens } from "./RefreshTokens.ts"
import { Secrets } from "./Secrets.ts"
import { SeededClient } from "./SeededClient.ts"
import { SessionRepository } from "./SessionRepository.ts"
import { Sessions } from "./Sessions.ts"
import { SigningKeyRepository } from "./SigningKeyRepository.ts"
import { SigningKeys } from "./SigningKeys.ts"
import { TokenGrants } from "./TokenGrants.ts"
import { UserAdministration } from "./UserAdministration.ts"
import { UserRepository } from "./UserRepository.ts"
import { Users } from "./Users.ts"

const repositories = Layer.mergeAll(
  AccountRepository.layer,
  AuditLogRepository.layer,
  CompanyOutboxRepository.layer,
  MailTokenRepository.layer,
  UserRepository.layer,
  ApiClientRepository.layer,
  RefreshTokenRepository.layer,
  SessionRepository.layer,
  SigningKeyRepository.layer,
  ExternalIdentityRepository.layer,
  SpentSignInRepository.layer
)

const keys = Layer.mergeAll(
  SigningKeys.layer,
  Passwords.layer,
  LoginAttempts.layer,
  MailTokens.layer,
  Sessions.layer,
  RefreshTokens.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(Secrets.layer, Owners.layer, AuditLog.layer, DeletedClients.layer, Mail.layer))
)

/** What is done to accounts that exist. */
const accounts = Layer.mergeAll(
  CompanyUsers.layer,
  EmailVerification.layer,
  MoneyGate.layer,
  PasswordChanges.layer,
  UserAdministration.layer
)

const providers = Layer.mergeAll(
  ExternalIdentities.layer,
  IdentityProvider.layer,
  PendingSignIns.layer,
  SandboxProvider.layer,
  ShopPlatform.layer
)

/** Every service of this context, on a migrated database, with its own source of randomness and who keeps KYC records. */
export const servicesWith = <A, E, R>(records: Layer.Layer<A | KycRecords, E, R>) =>
  TokenGrants.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(AccessTokens.layer, Users.layer, accounts, providers)),
    Layer.provideMerge(ApiClients.layer),
    Layer.provideMerge(records),
    Layer.provideMerge(keys),
    Layer.provideMerge(repositories),
    Layer.provideMerge(layerWebCrypto)
  )

/** The services, the first administrator and the sandbox's client. */
export const layerWith = <A, E, R>(records: Layer.Layer<A | KycRecords, E, R>) =>
  Layer.mergeAll(FirstAdmin.layer, SeededClient.layer).pipe(Layer.provideMerge(servicesWith(records)))

import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client
} from "@aws-sdk/client-s3"
import { Data, Effect, Layer } from "effect"
import type { Bucket } from "../FilePlace.ts"
import * as Setting from "../Setting.ts"
import { BackupFailed, BackupStore } from "./BackupStore.ts"

/** How often a request is sent before it counts as failed. */
const ATTEMPTS = 5

/** Milliseconds to connect. */
const CONNECTING = 5_000

/** Milliseconds in which a store answers; a request that gets none is sent again. */
const ANSWERING = 60_000

/** What a region is called where a store has none. */
const ANY_REGION = "us-east-1"

/** Sentences for what operators mistake first, by the name of the error. */
const ADVICE: Readonly<Record<string, string>> = {
  CredentialsProviderError: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
  NoSuchBucket: "there is no such bucket: make it, or name another",
  AccessDenied: "the credentials lack the right to do so",
  InvalidAccessKeyId: "the store does not know AWS_ACCESS_KEY_ID",
  SignatureDoesNotMatch: "AWS_SECRET_ACCESS_KEY is not the one of AWS_ACCESS_KEY_ID",
  PermanentRedirect: "the bucket is in another region: set AWS_REGION",
  AuthorizationHeaderMalformed: "the bucket is in another region: set AWS_REGION"
}

/** What a request came to that did not succeed. */
class RequestFailed extends Data.TaggedError("RequestFailed")<{ readonly name: string; readonly reason: string }> {}

const isMissing = ({ name }: RequestFailed): boolean => name === "NotFound" || name === "NoSuchKey"

const failureOf = (error: unknown): RequestFailed =>
  error instanceof Error
    ? new RequestFailed({ name: error.name, reason: error.message === "" ? error.name : error.message })
    : new RequestFailed({ name: "Unknown", reason: String(error) })

const UNANSWERED = new RequestFailed({ name: "TimeoutError", reason: "the store does not answer" })

const adviceOf = (failure: RequestFailed): string => {
  if (isMissing(failure)) return "there is no such object"
  if (failure.reason === "Region is missing") {
    return "set AWS_REGION, or AWS_ENDPOINT_URL_S3 for a store of another house"
  }
  return ADVICE[failure.name] ?? failure.reason.replace(/\.$/, "")
}

/** The key of the environment; undefined where the library is to look for a profile or a role. */
const credentialsOf = Effect.gen(function* () {
  const accessKeyId = yield* Setting.optional("AWS_ACCESS_KEY_ID", Setting.text)
  const secretAccessKey = yield* Setting.optional("AWS_SECRET_ACCESS_KEY", Setting.secretText(1))
  const sessionToken = yield* Setting.optional("AWS_SESSION_TOKEN", Setting.secretText(1))
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
})

const clientOf = Effect.fnUntraced(function* (answering: number) {
  const credentials = yield* credentialsOf
  const endpoint =
    (yield* Setting.optional("AWS_ENDPOINT_URL_S3", Setting.text)) ??
    (yield* Setting.optional("AWS_ENDPOINT_URL", Setting.text))
  const region = yield* Setting.optional("AWS_REGION", Setting.text)
  const named = region ?? (endpoint === undefined ? undefined : ANY_REGION)
  return yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new S3Client({
          ...(credentials === undefined ? {} : { credentials }),
          ...(named === undefined ? {} : { region: named }),
          // Stores other than the first rarely have a host name for each bucket.
          ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
          maxAttempts: ATTEMPTS,
          requestHandler: {
            connectionTimeout: CONNECTING,
            requestTimeout: answering,
            // Without it the library only warns.
            throwOnRequestTimeout: true,
            socketTimeout: answering
          },
          // Some stores refuse checksums that they do not know, and chunks are named for their SHA-256.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED"
        })
    ),
    (client) => Effect.sync(() => client.destroy())
  )
})

/** The store as files by name, in a bucket. */
const filesOf = (client: S3Client, { bucket, prefix }: Bucket, answering: number): BackupStore["Service"] => {
  const place = `s3://${bucket}/${prefix}`
  const asked = <A>(ask: (abortSignal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: ask, catch: failureOf }).pipe(
      // One that trickles keeps no backup for ever.
      Effect.timeoutOrElse({ duration: ATTEMPTS * 2 * answering, orElse: () => UNANSWERED })
    )
  const explained = (name: string, done: string) =>
    Effect.mapError(
      (failure: RequestFailed) =>
        new BackupFailed({ message: `${place}${name} cannot be ${done}: ${adviceOf(failure)}.` })
    )
  const object = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })
  const page = (folder: string, after: string, token: string | undefined) => {
    const command = new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: `${prefix}${folder}/`,
      Delimiter: "/",
      ...(after === "" ? {} : { StartAfter: `${prefix}${folder}/${after}` }),
      ...(token === undefined ? {} : { ContinuationToken: token })
    })
    return asked((abortSignal) => client.send(command, { abortSignal })).pipe(explained(folder, "read"))
  }
  return {
    place,
    put: (name, bytes) => {
      const command = new PutObjectCommand({ ...object(name), Body: bytes })
      return asked((abortSignal) => client.send(command, { abortSignal })).pipe(
        Effect.asVoid,
        explained(name, "written")
      )
    },
    get: (name) =>
      asked((abortSignal) =>
        client
          .send(new GetObjectCommand(object(name)), { abortSignal })
          .then(({ Body }) => Body?.transformToByteArray() ?? new Uint8Array())
      ).pipe(explained(name, "read")),
    size: (name) =>
      asked((abortSignal) => client.send(new HeadObjectCommand(object(name)), { abortSignal })).pipe(
        Effect.map(({ ContentLength }) => ContentLength),
        Effect.catchIf(isMissing, () => Effect.undefined),
        explained(name, "read")
      ),
    list: Effect.fnUntraced(function* (folder, after = "") {
      const names: Array<string> = []
      const skipped = prefix.length + folder.length + 1
      let token: string | undefined
      do {
        const found = yield* page(folder, after, token)
        for (const { Key = "" } of found.Contents ?? []) names.push(Key.slice(skipped))
        for (const { Prefix = "" } of found.CommonPrefixes ?? []) names.push(Prefix.slice(skipped, -1))
        token = found.IsTruncated === true ? found.NextContinuationToken : undefined
      } while (token !== undefined)
      // The store begins behind the name with what is in a folder of that name.
      return names.filter((name) => name > after).toSorted()
    }),
    // The names behind one are listed alone, which is one request as well.
    stamp: () => Effect.undefined,
    remove: (name) =>
      asked((abortSignal) => client.send(new DeleteObjectCommand(object(name)), { abortSignal })).pipe(
        Effect.asVoid,
        explained(name, "removed")
      )
  }
}

/**
 * Backups as objects of a bucket in any store that speaks S3. The library finds its credentials as its other users do, by
 * environment, profile, or the machine's role.
 *
 * @param answering - milliseconds after which a request without an answer is sent again
 */
export const layer = (
  bucket: Bucket,
  answering: number = ANSWERING
): Layer.Layer<BackupStore, BackupFailed | Setting.SettingRefused> =>
  Layer.effect(
    BackupStore,
    Effect.map(clientOf(answering), (client) => BackupStore.of(filesOf(client, bucket, answering)))
  )

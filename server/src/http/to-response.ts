import type { Answer, Version } from '#api/answer.ts'
import type { HttpRequest } from './wire/request.ts'
import type { HttpResponse } from './wire/response.ts'

const etagOf = ({ id, isExact }: Version): string => `${isExact ? '' : 'W/'}"${id}"`

/** Whether the client of this request says that it has a version. */
export const knownVersions =
  ({ hasEtag }: Pick<HttpRequest, 'hasEtag'>) =>
  (version: Version): boolean =>
    hasEtag(etagOf(version))

/** Reads `If-Match`: the version, with or without the quotes of an ETag. */
export const versionIn = (ifMatch: string | undefined): string | undefined =>
  ifMatch?.trim().replace(/^"(.*)"$/, '$1')

const shared = new WeakMap<Answer, HttpResponse>()

/** The response of an answer. A shared answer always has the same one, so that its head and bytes are cached. */
export function toResponse(answer: Answer): HttpResponse {
  const { version, mediaType, isReplay } = answer
  if (version === undefined && mediaType === undefined && !isReplay) return answer
  return answer.isShared ? shared.getOrInsertComputed(answer, convert) : convert(answer)
}

function convert(answer: Answer): HttpResponse {
  const { body, version, maxAgeSeconds, isUnchanged, isReplay, mediaType, nextCursor, isShared } = answer
  const etag = version && etagOf(version)
  return {
    status: isUnchanged ? 304 : (answer.status ?? 200),
    body,
    headers: {
      ...(mediaType !== undefined && { 'content-type': mediaType }),
      ...(isReplay && { 'idempotent-replayed': 'true' }),
      ...(nextCursor !== undefined && { 'x-next-cursor': nextCursor }),
      ...(etag !== undefined && maxAgeSeconds === undefined && { etag }),
    },
    ...(etag !== undefined && maxAgeSeconds !== undefined && { cache: { etag, maxAgeSeconds } }),
    ...(isShared && { isShared }),
  }
}

import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { graphql, type ResultOf } from '@mysten/sui/graphql/schema'
import { fromBase58, normalizeStructTag, toBase64, toHex } from '@mysten/sui/utils'
import { HOLDERS_QUERY } from '#adapters/sui/holders/graphql-source.ts'
import type { World, WorldObject } from './world.ts'

/** Typed by the schema that Sui publishes with its SDK: a query or an answer that does not match fails to compile. */
const _checked = graphql(HOLDERS_QUERY)
type Answer = ResultOf<typeof _checked>
type Node = NonNullable<Answer['objects']>['nodes'][number]

/** The public service's limit. */
const LARGEST_PAGE = 50

/** Replaces the answer of one request. */
export type Disturbance =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly errors: readonly { readonly message: string }[] }
  | { readonly change: (answer: Answer) => unknown }

export type FakeGraphql = AsyncDisposable & {
  readonly url: string
  world: World
  readonly asked: { readonly after: string | null; readonly headers: IncomingHttpHeaders }[]
  /** Queue: each request takes the first entry; `undefined` is answered normally. */
  readonly disturbances: (Disturbance | undefined)[]
}

/** Starts a GraphQL service of Sui that lists the objects of a world by type. */
export async function startFakeGraphql(world: World): Promise<FakeGraphql> {
  const fake: { asked: FakeGraphql['asked']; disturbances: FakeGraphql['disturbances']; world: World } = {
    asked: [],
    disturbances: [],
    world,
  }
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { query: string; variables: Parameters<typeof toAnswer>[1] }
    assert.equal(body.query, HOLDERS_QUERY)
    fake.asked.push({ after: body.variables.after, headers: request.headers })
    const disturbance = fake.disturbances.shift()
    if (disturbance && 'status' in disturbance)
      return void response.writeHead(disturbance.status, disturbance.headers).end()
    const data = toAnswer(fake.world, body.variables)
    const answer =
      disturbance && 'errors' in disturbance
        ? { data: null, errors: disturbance.errors }
        : { data: disturbance ? disturbance.change(data) : data }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(fake, {
    url: `http://127.0.0.1:${port}/graphql`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

function toAnswer(
  world: World,
  { type, first, after }: { readonly type: string; readonly first: number; readonly after: string | null },
): Answer {
  assert(first <= LARGEST_PAGE, 'the public service refuses larger pages')
  const all = [...world.objects.values()].filter((object) => normalizeStructTag(object.type) === type)
  const last = all.findIndex(({ id }) => id === after)
  assert(after === null || last >= 0, `no page has ended with ${after}`)
  const start = last + 1
  const page = all.slice(start, start + first)
  return {
    chainIdentifier: toHex(fromBase58(world.chainId).slice(0, 4)),
    checkpoint: { timestamp: new Date(world.checkpointAt).toISOString() },
    objects: {
      pageInfo: { hasNextPage: start + first < all.length, endCursor: page.at(-1)?.id ?? null },
      nodes: page.map(toNode),
    },
  }
}

function toNode({ id, type, contents, owner }: WorldObject): Node {
  const by: Node['owner'] =
    owner.kind === 'address'
      ? { __typename: 'AddressOwner', address: { address: owner.address } }
      : { __typename: 'ObjectOwner' }
  const inside = { contents: { bcs: toBase64(contents), type: { repr: type } } }
  return { address: id, version: 7, owner: by, asMoveObject: inside }
}

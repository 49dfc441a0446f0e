import { type EndpointName, ROUTES } from '@stakewright/contract/routes'
import { type Loaded, useQuery } from '../query.ts'
import { fetchFile } from './fetch-file.ts'
import type { Content, Document, Media, RawOperation, Schema } from './openapi-document.ts'
import { resolve } from './schemas.ts'

export type Operation = {
  readonly name: EndpointName
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly inputs: readonly Input[]
  /** A request that works: path, query and body in one object. */
  readonly example: Readonly<Record<string, unknown>>
  readonly reply: Schema | undefined
  /** An answer of the sandbox to the example. */
  readonly answer: unknown
  readonly status: string
  readonly errors: readonly { readonly status: string; readonly description: string }[]
}
type Input = {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
  readonly schema: Schema
  readonly description: string
}
export type Reference = {
  readonly version: string
  readonly operations: readonly Operation[]
  readonly schemas: Document['components']['schemas']
}

export const useReference = (): Loaded<Reference> =>
  useQuery({
    key: 'openapi',
    ask: async () => {
      const response = await fetchFile(
        '/openapi.json',
        'The description of the API cannot be read right now.',
      )
      return toReference(toDocument(await response.json()))
    },
  })

/** The cast holds because the service generates the document from the contract, and tests check it with other tools. */
const toDocument = (value: unknown): Document => value as Document

function toReference({ info, paths, components }: Document): Reference {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, raw]) => {
      const name = NAMES.find((one) => one === raw.operationId)
      return name === undefined ? [] : [toOperation(name, method.toUpperCase(), path, raw, components)]
    }),
  )
  const order = (name: EndpointName) => NAMES.indexOf(name)
  return {
    version: info.version,
    operations: operations.sort((a, b) => order(a.name) - order(b.name)),
    schemas: components.schemas,
  }
}

/** The cast holds because the keys of the table are the names of the endpoints. */
const NAMES = Object.keys(ROUTES) as readonly EndpointName[]

function toOperation(
  name: EndpointName,
  method: string,
  path: string,
  raw: RawOperation,
  { schemas, responses }: Document['components'],
): Operation {
  const success = Object.entries(raw.responses).find(([status]) => status.startsWith('2'))
  const body = resolve(schemaOf(raw.requestBody), schemas)
  return {
    name,
    method,
    path,
    tag: raw.tags[0] ?? '',
    summary: raw.summary,
    description: raw.description ?? '',
    inputs: [
      ...(raw.parameters ?? [])
        .filter((one) => one.in !== 'header')
        .map((one) => ({
          name: one.name,
          place: one.in,
          isRequired: one.required ?? false,
          schema: resolve(one.schema, schemas) ?? {},
          description: one.description ?? one.schema?.description ?? '',
        })),
      ...Object.entries(body?.properties ?? {}).map(([field, schema]) => ({
        name: field,
        place: 'body',
        isRequired: body?.required?.includes(field) ?? false,
        schema: resolve(schema, schemas) ?? {},
        description: schema.description ?? resolve(schema, schemas)?.description ?? '',
      })),
    ],
    example: exampleInput(raw),
    reply: schemaOf(success?.[1]),
    answer: mediaOf(success?.[1])?.example,
    status: success?.[0] ?? '200',
    errors: Object.entries(raw.responses)
      .filter(([status]) => !/^[23]/.test(status))
      .map(([status, { $ref, description }]) => ({
        status,
        description: description ?? responses[$ref?.split('/').at(-1) ?? '']?.description ?? '',
      })),
  }
}

const mediaOf = (content: Content | undefined): Media | undefined => Object.values(content?.content ?? {})[0]
const schemaOf = (content: Content | undefined): Schema | undefined => mediaOf(content)?.schema

/** The required parameters, and the document's example of the body. */
function exampleInput({ parameters = [], requestBody }: RawOperation): Operation['example'] {
  const required = parameters.filter((one) => one.in !== 'header' && one.required)
  return {
    ...Object.fromEntries(required.map(({ name, example }) => [name, example])),
    ...Object(mediaOf(requestBody)?.example),
  }
}

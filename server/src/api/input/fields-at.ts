import type { EndpointSpec } from '@stakewright/contract'
import { definitionOf } from './schema-definition.ts'

/** The field names of the object at a path of a request; undefined if it is a union or no object. */
export function fieldsAt(row: EndpointSpec, path: readonly PropertyKey[]): readonly string[] | undefined {
  const [first, ...rest] = path
  const parts = [row.params, row.query, row.body]
  const part = parts.find((one) => one !== undefined && Object.hasOwn(one.shape, first ?? ''))
  const found = rest.reduce<unknown>(
    (schema, step) =>
      typeof step === 'number' ? definitionOf(schema).element : definitionOf(schema).shape?.[String(step)],
    part?.shape[String(first)],
  )
  const { shape } = definitionOf(found)
  return shape && Object.keys(shape)
}

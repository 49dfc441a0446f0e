import { z } from 'zod'
import { NextCursor } from './fields.ts'
import { oneOf, wholeFrom } from './inputs.ts'
import { LIMITS } from './limits.ts'
import { oncePer } from './once-per.ts'
import { nearestName } from './texts/near-name.ts'

/** How callers may select the fields of an endpoint's list. */
export type ListSpec = {
  /** The field of the reply that has the items. */
  readonly items: string
  /** The fields of an item. */
  readonly fields: readonly string[]
  /** The fields of `view=compact`. */
  readonly compact: readonly string[]
}

/** A list that callers may sort and page. */
export type SortedListSpec = ListSpec & {
  /** The unique field, which breaks ties in the order. */
  readonly id: string
  /** The fields to sort by, each with its default direction. */
  readonly sort: Readonly<Record<string, 'asc' | 'desc'>>
  /** The default field to sort by. */
  readonly sortedBy: string
  /** Fields beside the id whose value never changes: a cursor of a list sorted by such a field survives changes. */
  readonly steady?: readonly string[]
}

type Names<Item extends z.ZodObject> = Extract<keyof Item['shape'], string>

export const listOf = <const Items extends string, Item extends z.ZodObject>(
  items: Items,
  item: Item,
  compact: readonly Names<Item>[],
): ListSpec & { readonly items: Items } => ({ items, fields: Object.keys(item.shape), compact })

export const sortedListOf = <
  const Items extends string,
  Item extends z.ZodObject,
  const Sort extends { readonly [Name in Names<Item>]?: 'asc' | 'desc' },
>(
  items: Items,
  item: Item,
  list: {
    readonly compact: readonly Names<Item>[]
    readonly id: Names<Item>
    readonly sort: Sort
    readonly sortedBy: Extract<keyof Sort, string>
    readonly steady?: readonly Extract<keyof Sort, string>[]
  },
) => ({ ...listOf(items, item, list.compact), ...list })

/** The parameters that select fields. */
export const fieldsQuery = ({ fields, compact }: ListSpec) => {
  const example = compact.slice(0, 3).join(',')
  return {
    fields: fieldNames(fields)
      .optional()
      .meta({
        description: `Only these fields, such as ${example}.`,
        examples: [example],
      }),
    view: oneOf(['full', 'compact'])
      .optional()
      .meta({ description: `compact: only ${compact.join(', ')}.` }),
  }
}

/** The parameters of a list that is complete unless one of them is given. */
export const listQuery = <const List extends SortedListSpec>(list: List) => ({
  limit: pageLimit(`all of them, or ${LIMITS.pageSize.default} after a \`cursor\``),
  ...restOfQuery(list),
})

/** The same for an unbounded list, which is always paged. */
export const pagedListQuery = <const List extends SortedListSpec>(list: List) => ({
  limit: pageLimit(String(LIMITS.pageSize.default)),
  ...restOfQuery(list),
})

const pageLimit = (otherwise: string) =>
  wholeFrom(1, LIMITS.pageSize.max)
    .optional()
    .meta({ description: `Items on a page; left out: ${otherwise}.` })

const restOfQuery = <const List extends SortedListSpec>(list: List) => ({
  cursor: z.string().min(1).max(2_048).optional().meta({
    description: '`nextCursor` of the previous page; all other parameters unchanged.',
  }),
  sort: oneOf(Object.keys(list.sort) as [NamesOf<List>, ...NamesOf<List>[]])
    .optional()
    .meta({ description: `Without it \`${list.sortedBy}\`.${nullsLast(list)}` }),
  order: oneOf(['asc', 'desc'])
    .optional()
    .meta({ description: `Without it: ${defaultOrders(list.sort)}.` }),
  ...fieldsQuery(list),
})

type NamesOf<List extends SortedListSpec> = Extract<keyof List['sort'], string>

/** Ids are never unknown, so a list that sorts by id only needs no such sentence. */
const nullsLast = ({ sort, id }: SortedListSpec): string =>
  Object.keys(sort).every((name) => name === id) ? '' : ' Unknown values come last.'

function defaultOrders(sort: SortedListSpec['sort']): string {
  const names = Object.keys(sort)
  const rising = names.filter((name) => sort[name] === 'asc')
  const falling = names.filter((name) => sort[name] === 'desc')
  if (rising.length === 0) return 'desc'
  if (falling.length === 0) return 'asc'
  return rising.length <= falling.length
    ? `asc for ${rising.join(', ')}; desc for others`
    : `desc for ${falling.join(', ')}; asc for others`
}

/** The paging fields of the answer, if one of these parameters is given. */
export const ListPage = {
  total: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'Items on all pages. Sent when a parameter of the list is given.' }),
  nextCursor: NextCursor.optional(),
}

/** The same for a list that is always paged. */
export const PagedList = {
  total: z.int().min(0).meta({ description: 'Items on all pages.' }),
  nextCursor: NextCursor,
}

const fieldNames = (known: readonly string[]) =>
  z.string().transform((text, context): string[] => {
    const names = text.split(',').flatMap((name) => name.trim() || [])
    const wrong = names.findIndex((name) => !known.includes(name))
    const message =
      names.length === 0
        ? 'must name at least one field, or be left out'
        : `must name fields of an item; name ${wrong + 1} ${meant(names[wrong] ?? '', known)}`
    if (wrong >= 0 || names.length === 0) context.issues.push({ code: 'custom', input: text, message })
    return [...new Set(names)]
  })

/** Quotes only the existing name: the caller's text may be a secret in the wrong field. */
function meant(wrong: string, known: readonly string[]): string {
  const near = nearestName(wrong, known)
  return near === undefined ? `is none of ${known.join(', ')}` : `may mean "${near}"`
}

/** The reply schema with all fields of its items optional, for answers with selected fields. */
export function replyInPart({
  reply,
  list,
}: {
  readonly reply: z.ZodType
  readonly list?: ListSpec
}): z.ZodType {
  return list && reply instanceof z.ZodObject ? partsOf(reply)(list.items) : reply
}

// One partial schema for each schema: endpoints with the same reply or the same items share it by its id.

const partsOf = oncePer((reply: z.ZodObject) => {
  const known = new Map<string, z.ZodObject>()
  return (items: string): z.ZodObject => {
    const part = known.get(items) ?? withItemsInPart(reply, items)
    known.set(items, part)
    return part
  }
})

function withItemsInPart(reply: z.ZodObject, name: string): z.ZodObject {
  const items: unknown = reply.shape[name]
  if (!(items instanceof z.ZodArray) || !(items.element instanceof z.ZodObject)) return reply
  const inPart = z.array(itemInPart(items.element)).meta({ ...items.meta() })
  return reply.extend({ [name]: inPart }).meta({ ...reply.meta() })
}

const itemInPart = oncePer((item: z.ZodObject): z.ZodObject => {
  const { id, description } = item.meta() ?? {}
  const said = 'With `fields` or `view` compact, only the selected fields; otherwise all.'
  return item.partial().meta({
    ...(id !== undefined && { id: `${id}InPart` }),
    description: description === undefined ? said : `${description} ${said}`,
  })
})

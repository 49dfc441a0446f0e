import { IdempotencyKey } from '@stakewright/contract'

/** Options that every command of the API takes. */
export const GLOBAL_FLAGS = {
  json: { type: 'boolean', help: 'print the JSON envelope, also on a terminal' },
  fields: {
    type: 'string',
    value: 'A,B',
    help: 'only these fields of the answer: a name at its top level, else in every list and object that has it; a.b is a path',
  },
  input: { type: 'string', value: '@FILE|-', help: 'the whole input as JSON, from a file or standard input' },
  url: {
    type: 'string',
    value: 'URL',
    help: 'address of the service; else STAKEWRIGHT_URL, the profile, or this machine',
  },
  profile: { type: 'string', value: 'NAME', help: 'saved address and key; else STAKEWRIGHT_PROFILE' },
  timeout: { type: 'string', value: 'SECONDS', help: 'how long to wait for an answer' },
  'dry-run': { type: 'boolean', help: 'print the request instead of sending it' },
  help: { type: 'boolean', help: 'what the command does and takes' },
} as const

/** Options of commands that take an idempotency key. */
export const REPEAT_FLAGS = {
  'idempotency-key': {
    type: 'string',
    value: 'NAME',
    help: IdempotencyKey.description ?? '',
  },
} as const

/** Options of commands whose answer is a key or a token. */
export const SAVE_FLAGS = {
  save: { type: 'boolean', help: 'keep the key or token in the profile in use' },
  'save-as': {
    type: 'string',
    value: 'NAME',
    help: 'keep it in this profile instead; the command itself still uses --profile',
  },
  replace: { type: 'boolean', help: 'with --save or --save-as: overwrite the key of the profile' },
} as const

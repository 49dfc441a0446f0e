/** One reason why a transaction does not match the wish. */
export type Failure = {
  /** The broken rule; the set is closed. */
  readonly rule: Rule
  readonly expected: string
  readonly actual: string
}

export type Rule =
  | 'encoding'
  | 'sender'
  | 'gas owner'
  | 'gas budget'
  | 'expiry'
  | 'chain'
  | 'inputs'
  | 'pattern'
  | 'recipient'
  | 'effects'
  | 'calls'
  | 'intent id'
  | 'signature'

/** Stops the interpretation of a transaction at the first thing that is not understood. */
export class Refusal extends Error {
  readonly failure: Failure

  constructor(rule: Rule, expected: string, actual: string) {
    super(`${rule}: expected ${expected}, found ${actual}`)
    this.name = 'Refusal'
    this.failure = { rule, expected, actual }
  }
}

/** A wish that cannot be parsed. */
export class BadWish extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BadWish'
  }
}

/** A key document that cannot be parsed. */
export class BadKeys extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BadKeys'
  }
}

/** A table of pins that does not match its digest or signature. */
export class BadTable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BadTable'
  }
}

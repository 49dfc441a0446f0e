/** One reason why a transaction is not what was wished. */
export type Failure = {
  /** Which rule it breaks; the set is closed. */
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

/** Ends the reading of a transaction: what follows would rest on something that is not understood. */
export class Refusal extends Error {
  readonly failure: Failure

  constructor(rule: Rule, expected: string, actual: string) {
    super(`${rule}: expected ${expected}, found ${actual}`)
    this.name = 'Refusal'
    this.failure = { rule, expected, actual }
  }
}

/** A wish that cannot be understood: nothing is verified against it. */
export class BadWish extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BadWish'
  }
}

/** A key document that cannot be read: no signature is checked against it. */
export class BadKeys extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BadKeys'
  }
}

/** A table of pins that is not what its digest says. */
export class BadTable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BadTable'
  }
}

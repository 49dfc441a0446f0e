const text = (description: string) => ({ type: 'string', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const object = (description: string) => ({ type: 'object', description })

/** Input and output of `verify`, which calls no endpoint. */
export const VERIFY_SCHEMA = {
  endpoint: null,
  positionals: [],
  input: {
    type: 'object',
    description: 'By --input; the answer of a tx command with --sender may be given as it is.',
    properties: {
      transaction: {
        type: ['string', 'object'],
        description: 'The bytes as base64, or the Sui SDK’s JSON of version 2.',
      },
      wish: {
        type: ['string', 'object'],
        description:
          'What you wished before you asked: words such as “stake 5 IKA with validator 0x… from 0x…”, or an object; may also be --wish, and then both must hold. Only with --keys it may be left out: then `intent` stands for it.',
        properties: {
          network: text('Name of the network, such as ika.'),
          sender: text('The address that signs.'),
          action: { enum: ['stake', 'unstake', 'withdraw', 'join'], description: 'One action.' },
          validator: text('For a stake: the validator.'),
          amount: text('Amount in smallest units, in digits.'),
          stakedTokenId: text('For an unstake or a withdrawal: the staked token.'),
          stakedTokenIds: texts('For a join: the staked tokens.'),
          items: { type: 'array', items: object('One action.'), description: 'Instead: several actions.' },
          maxGas: text('The highest gas budget, in MIST; 100000000 when left out.'),
          sponsor: text('Who pays the gas, if not the sender; only without an intent.'),
          expiresEpoch: {
            type: 'integer',
            description: 'The last epoch in which it may be executed; no bound when left out.',
          },
        },
        required: ['network', 'sender'],
      },
      intent: object('As the service has sent it.'),
      intentId: text('Its id.'),
      intentSignature: object('Its signature, which --keys checks.'),
    },
    required: ['transaction'],
  },
  output: {
    type: 'object',
    properties: {
      ok: { const: true, description: 'What is not as wished is an error, with a detail for each rule.' },
      network: text('Name of the network.'),
      tableVersion: { type: 'integer', description: 'Version of the table of package ids.' },
      does: texts('What it does, in plain words.'),
      expires: text('Until when the chain executes it, in plain words.'),
      failures: { type: 'array', maxItems: 0, description: 'Empty.' },
      stillOpen: texts('What is filled in later. If there is any, verify the bytes before they are signed.'),
      digest: {
        type: ['string', 'null'],
        description: 'The digest of the transaction, which wallets show; null as long as it may change.',
      },
      unchecked: texts(
        '`wish`: none was given, so only what the service signed was checked. `intentSignature`: not checked for lack of --keys. `expiry`: neither a wish nor an intent bounds it. `sender`: neither names one.',
      ),
    },
    required: [
      'ok',
      'network',
      'tableVersion',
      'does',
      'expires',
      'failures',
      'stillOpen',
      'unchecked',
      'digest',
    ],
  },
} as const

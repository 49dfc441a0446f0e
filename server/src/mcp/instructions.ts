/** The server's instructions for the model: what it is, in which order to use the tools, and what not to claim. */
export const instructionsFor = (network: string, isSandbox: boolean): string =>
  [
    `Stakewright on the network ${network}${isSandbox ? ' (simulated)' : ''}: validators scored, amounts split optimally, stake rebalanced, transactions built for the owner of a wallet to sign. It never signs or submits and never needs a wallet’s key.`,
    `Keys: tools that say "Needs a key" take an API key. ${howToGetKey(isSandbox)} A key reads and builds, and never signs; permissions in its answer is no list of scopes.`,
    'To stake: metadata (decimals, smallest stake) → allocate → build_batch with a stake for each allocation (build_stake for one alone; above five, pass detail: "full" to see the transaction). To review: plan_rebalance with owner. To leave: positions → build_unstake → wait until availableAt → build_withdraw.',
    ...(isSandbox
      ? [
          'To rehearse: sandbox_execute runs the commands of a built transaction, sandbox_advance moves epochs.',
        ]
      : []),
    'Units: amounts are strings of smallest units, 10^decimals of them to a token; APYs are percent per 365 days; commissions, weights, shares and uptimes are fractions.',
    'Answers: in tables " means: as in the row above; 0x12345678… is the id above that begins so. compact (the default) cuts long lists to about 1,500 tokens and counts what is missing; detail: "full" cuts nothing. The resource stakewright://schema/{tool} describes every field.',
    'Errors: fix says what to do, and next names the tool to call.',
    'Before a person signs, show the summary, and let them check the transaction. Do not call a projection a promise, nor an unsigned transaction done.',
  ].join('\n')

/** What a caller without a key should do, in terms of tools. */
export const howToGetKey = (isSandbox: boolean): string =>
  isSandbox
    ? 'To get a key at once: call sandbox_key, then pass its apiKey as the argument apiKey, which counts in place of a key that your client sends.'
    : 'To get a key: with a Sui wallet, call wallet_challenge, sign its message, and call self_register with address, nonce and signature: it works at once. With a mailbox, call self_register with email: it works after the link in the mail was opened. Then set it in your MCP client: the header X-API-Key, or STAKEWRIGHT_API_KEY where it starts a program.'

/** About a kilobyte, like most answers to agents. */
export const EDGE_ANSWER = {
  allocations: Array.from({ length: 6 }, (_, at) => ({
    validatorId: `0x${String(at).repeat(64)}`,
    amount: '12345678901234567',
    weight: 0.1666,
    projectedApy: 7.5,
  })),
  epoch: 91,
}

/** The headers of every answer of the service. */
export const EDGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
}

/**
 * Runs in a page, after axe: `judgeColours(known)` asks axe about the colours of every text that has no clear contrast,
 * and whose kind is not among the known ones: two texts of one kind get one judgement.
 */
globalThis.judgeColours = (() => {
  const CONTRAST = 'color-contrast'
  const LINK = 'link-in-text-block'
  const FIELDS = new Set(['INPUT', 'SELECT', 'TEXTAREA'])
  /** Why axe may be unable to judge, as far as it follows from the kind of a text and its HTML. */
  const OF_ITSELF = new Set(['nonBmp', 'imgNode', 'bgImage', 'bgGradient', 'shortTextContent', 'emptyValue'])
  const BLOCKS = /^(?:block|list-item|table|flex|grid|inline-block)$|^table-/

  const isBlank = (text) => text.trim() === ''
  const hasText = (element) =>
    FIELDS.has(element.tagName) ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && !isBlank(node.nodeValue))

  /** 53 bits of a text: thousands of them go to the page with every look. */
  function digestOf(text) {
    let high = 0xdeadbeef
    let low = 0x41c6ce57
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      high = Math.imul(high ^ code, 2654435761)
      low = Math.imul(low ^ code, 1597334677)
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
    return 4294967296 * (2097151 & low) + (high >>> 0)
  }

  /** As axe tells blocks. */
  const isBlock = (element) => BLOCKS.test(getComputedStyle(element).display)

  function blockAround(link) {
    let block = link.parentElement
    while (block.parentElement && !isBlock(block)) block = block.parentElement
    return block
  }

  /** A link among other words that is neither underlined nor bold where they are not: its colour has to tell it. */
  function isToldByColour(link) {
    if (getComputedStyle(link).display !== 'inline') return false
    const block = blockAround(link)
    if (block.textContent.trim() === link.textContent.trim()) return false
    const [own, around] = [link, block].map((element) => getComputedStyle(element))
    return own.textDecorationLine === around.textDecorationLine && own.fontWeight === around.fontWeight
  }

  /** Texts about which something is to be learned; `self` stands for this very text. */
  function questionsOf(visible) {
    const hasClearContrast = contrastReader(visible)
    const texts = visible.filter((element) => hasText(element) && !hasClearContrast(element))
    return kindReader(visible, texts).map(({ element, kind, state }) => ({
      element,
      kind: digestOf(kind),
      self: digestOf(`${kind}\n${element.outerHTML}`),
      mayBeNone: state !== '' || !/[\p{L}\p{N}]/u.test(element.textContent),
    }))
  }

  /** What is learned from an outcome: about all texts of the kind, about this very text, or nothing. */
  function learnedFrom({ kind, self, mayBeNone }, outcome) {
    if (!outcome || outcome.reason === 'hidden') return mayBeNone ? [self] : []
    if (outcome.kind === 'passes') return [kind]
    return outcome.kind === 'incomplete' && OF_ITSELF.has(outcome.reason) ? [self] : []
  }

  async function askAxe(elements, questions, options) {
    const results = await axe.run(
      { include: elements },
      {
        ...options,
        elementRef: true,
        resultTypes: ['passes', 'incomplete', 'violations'],
        runOnly: { type: 'rule', values: [CONTRAST, LINK] },
      },
    )
    const outcomes = new Map()
    for (const kind of ['passes', 'incomplete', 'violations'])
      for (const { nodes } of results[kind].filter(({ id }) => id === CONTRAST))
        for (const { element, any } of nodes) {
          const reason = any.find(({ data }) => data?.messageKey)?.data.messageKey
          outcomes.set(element, { kind, reason })
        }
    const violations = results.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html }) => ({ html })),
    }))
    const learned = questions.flatMap((question) => learnedFrom(question, outcomes.get(question.element)))
    return { violations, learned }
  }

  /** Answers what is wrong, and what need not be asked again, on this page or another. */
  return async (known, options) => {
    const all = [...document.body.querySelectorAll('*')]
    // Axe does not know what is behind the text of a drawing, and judges none.
    const visible = all.filter((element) => !element.ownerSVGElement && element.checkVisibility())
    const isKnown = new Set(known)
    const questions = questionsOf(visible).filter(
      ({ kind, self }) => !isKnown.has(kind) && !isKnown.has(self),
    )
    const links = visible.filter((element) => element.matches('a[href]') && isToldByColour(element))
    const elements = [...questions.map(({ element }) => element), ...links]
    return elements.length === 0 ? { violations: [], learned: [] } : askAxe(elements, questions, options)
  }
})()

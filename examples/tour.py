"""The Python client: look around, get a sandbox key, split an amount.

    python3 examples/tour.py [URL]      a running service; http://127.0.0.1:3000 unless given
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

from stakewright import Answer, Stakewright, StakewrightError  # noqa: E402

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:3000"
anybody = Stakewright(url)

epoch = anybody.epoch()
print(f"epoch {epoch['epoch']}, {epoch['progress']:.0%} done")

best = max(anybody.validators()["data"], key=lambda validator: validator["score"] or 0)
print(f"best validator: {best['name']}, score {best['score']}, {best['apy']:.2f}% a year")

(newest,) = anybody.apy_history(limit=1)["data"]
print(f"network in epoch {newest['epoch']}: {newest['apy']:.2f}% a year")

registered = anybody.sandbox_key(agent_name="yield-scout")["data"]
print(f"got a {registered['tier']} key, {registered['keyPrefix']}…")

client = Stakewright(url, api_key=registered["apiKey"])
split = client.allocate(amount="10000000000000000", max_validators=2)
for part in split["allocations"]:
    print(f"{part['amount']:>20} to {part['validatorId']}")
print(f"together {split['totalProjectedApy']:.2f}% a year")

answers: list[Answer] = []
try:
    client.build_stake(validator_id=best["id"], amount="1", on_answer=answers.append)
except StakewrightError as error:
    print(f"refused: {error.code}: {error.message}")

for answer in answers:
    if answer.rate_limit:
        print(f"{answer.rate_limit.remaining} requests left in this minute")

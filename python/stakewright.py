"""The Python client of the Stakewright API: one module, standard library only, Python 3.11 or newer.

    from stakewright import Stakewright

    key = Stakewright("http://127.0.0.1:3000").sandbox_key(agent_name="yield-scout")["data"]["apiKey"]
    client = Stakewright("http://127.0.0.1:3000", api_key=key)
    print(client.allocate(amount="10000000000000000", max_validators=2)["allocations"])

One method per endpoint; answers are dictionaries with the API's own names. Amounts are strings of smallest units.
Generated from the contract by `npm run python`: do not edit.
"""

from __future__ import annotations

import http.client
import json
import math
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Literal, NamedTuple, NotRequired, TypedDict

__version__ = "0.1.0"

ValidatorsReplyDataItemComponents1 = TypedDict("ValidatorsReplyDataItemComponents1", {
    "apy": "float",
    "uptime": "float",
    "commission": "float",
    "gate": "float",
})

ValidatorsReplyDataItem = TypedDict("ValidatorsReplyDataItem", {
    "id": "NotRequired[str]",
    "name": "NotRequired[str]",
    "status": "NotRequired[Literal[\"candidate\", \"pending\", \"active\", \"leaving\", \"inactive\"]]",
    "totalStake": "NotRequired[str]",
    "commissionRate": "NotRequired[float]",
    "stakingRewards": "NotRequired[str]",
    "withdrawingStake": "NotRequired[str]",
    "claimableStake": "NotRequired[str | None]",
    "apy": "NotRequired[float | None]",
    "uptime": "NotRequired[float | None]",
    "uptimeSource": "NotRequired[Literal[\"epoch_rewards\", \"simulation\"] | None]",
    "score": "NotRequired[float | None]",
    "components": "NotRequired[ValidatorsReplyDataItemComponents1 | None]",
    "ineligible": "NotRequired[list[str]]",
    "pendingStake": "NotRequired[str]",
    "nextCommissionRate": "NotRequired[float]",
    "nextCommissionEpoch": "NotRequired[int | None]",
    "nextStake": "NotRequired[str]",
    "inNextCommittee": "NotRequired[bool | None]",
    "votingPower": "NotRequired[int | None]",
    "shards": "NotRequired[int | None]",
    "nextShards": "NotRequired[int | None]",
    "reportedBy": "NotRequired[int | None]",
    "atRiskEpochs": "NotRequired[int | None]",
})

ValidatorsReplyScoringInputs = TypedDict("ValidatorsReplyScoringInputs", {
    "rewardShape": "Literal[\"equal-share\", \"proportional\"]",
    "capShare": "float | None",
    "minValidatorStake": "str",
    "competingStake": "str",
})

ValidatorsReply = TypedDict("ValidatorsReply", {
    "epoch": "int",
    "hash": "str",
    "data": "list[ValidatorsReplyDataItem]",
    "total": "NotRequired[int]",
    "nextCursor": "NotRequired[str | None]",
    "scoringInputs": "ValidatorsReplyScoringInputs",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
})

ValidatorReplyComponents1 = TypedDict("ValidatorReplyComponents1", {
    "apy": "float",
    "uptime": "float",
    "commission": "float",
    "gate": "float",
})

ValidatorReplyVotes1 = TypedDict("ValidatorReplyVotes1", {
    "storagePrice": "str",
    "writePrice": "str",
    "nodeCapacity": "str",
})

ValidatorReply = TypedDict("ValidatorReply", {
    "id": "str",
    "name": "str",
    "status": "Literal[\"candidate\", \"pending\", \"active\", \"leaving\", \"inactive\"]",
    "totalStake": "str",
    "commissionRate": "float",
    "stakingRewards": "str",
    "withdrawingStake": "str",
    "claimableStake": "str | None",
    "apy": "float | None",
    "uptime": "float | None",
    "uptimeSource": "Literal[\"epoch_rewards\", \"simulation\"] | None",
    "score": "float | None",
    "components": "ValidatorReplyComponents1 | None",
    "ineligible": "list[str]",
    "pendingStake": "str",
    "nextCommissionRate": "float",
    "nextCommissionEpoch": "int | None",
    "nextStake": "str",
    "inNextCommittee": "bool | None",
    "votingPower": "int | None",
    "shards": "int | None",
    "nextShards": "int | None",
    "reportedBy": "int | None",
    "atRiskEpochs": "int | None",
    "description": "str | None",
    "imageUrl": "str | None",
    "projectUrl": "str | None",
    "votes": "ValidatorReplyVotes1 | None",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
})

ValidatorApyHistoryReplyDataItemExchangeRate1 = TypedDict("ValidatorApyHistoryReplyDataItemExchangeRate1", {
    "tokens": "str",
    "shares": "str",
})

ValidatorApyHistoryReplyDataItem = TypedDict("ValidatorApyHistoryReplyDataItem", {
    "epoch": "NotRequired[int]",
    "timestamp": "NotRequired[str]",
    "apy": "NotRequired[float]",
    "commissionRate": "NotRequired[float]",
    "totalStake": "NotRequired[str]",
    "performed": "NotRequired[bool | None]",
    "shards": "NotRequired[int | None]",
    "exchangeRate": "NotRequired[ValidatorApyHistoryReplyDataItemExchangeRate1 | None]",
})

ValidatorApyHistoryReply = TypedDict("ValidatorApyHistoryReply", {
    "data": "list[ValidatorApyHistoryReplyDataItem]",
    "total": "int",
    "epoch": "int",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
})

ValidatorCommissionHistoryReplyDataItem = TypedDict("ValidatorCommissionHistoryReplyDataItem", {
    "epoch": "NotRequired[int]",
    "timestamp": "NotRequired[str]",
    "commissionRate": "NotRequired[float]",
    "source": "NotRequired[Literal[\"read\", \"assumed\"]]",
})

ValidatorCommissionHistoryReplyAnnounced1 = TypedDict("ValidatorCommissionHistoryReplyAnnounced1", {
    "commissionRate": "float",
    "epoch": "int | None",
})

ValidatorCommissionHistoryReplyAssumedEpochsItem = TypedDict("ValidatorCommissionHistoryReplyAssumedEpochsItem", {
    "from": "int",
    "to": "int",
})

ValidatorCommissionHistoryReply = TypedDict("ValidatorCommissionHistoryReply", {
    "data": "list[ValidatorCommissionHistoryReplyDataItem]",
    "total": "NotRequired[int]",
    "nextCursor": "NotRequired[str | None]",
    "commissionRate": "float",
    "announced": "ValidatorCommissionHistoryReplyAnnounced1 | None",
    "highest": "float",
    "firstEpoch": "int | None",
    "assumedEpochs": "list[ValidatorCommissionHistoryReplyAssumedEpochsItem]",
    "epoch": "int",
    "nextChangeAt": "str",
    "historyComplete": "bool",
})

ApyHistoryReplyDataItemExchangeRate1 = TypedDict("ApyHistoryReplyDataItemExchangeRate1", {
    "tokens": "str",
    "shares": "str",
})

ApyHistoryReplyDataItem = TypedDict("ApyHistoryReplyDataItem", {
    "epoch": "NotRequired[int]",
    "timestamp": "NotRequired[str]",
    "apy": "NotRequired[float]",
    "commissionRate": "NotRequired[float]",
    "totalStake": "NotRequired[str]",
    "performed": "NotRequired[bool | None]",
    "shards": "NotRequired[int | None]",
    "exchangeRate": "NotRequired[ApyHistoryReplyDataItemExchangeRate1 | None]",
})

ApyHistoryReply = TypedDict("ApyHistoryReply", {
    "data": "list[ApyHistoryReplyDataItem]",
    "total": "int",
    "epoch": "int",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
})

EpochReply = TypedDict("EpochReply", {
    "epoch": "int",
    "startTimestampMs": "int",
    "endTimestampMs": "int",
    "durationMs": "int",
    "elapsedMs": "int",
    "remainingMs": "int",
    "progress": "float",
    "epochsPerYear": "float",
    "nextCommitteeSelected": "bool",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
})

PriceReply = TypedDict("PriceReply", {
    "symbol": "str",
    "priceUsd": "float",
    "change24hPercent": "float | None",
    "source": "str",
    "updatedAt": "str",
    "dataAgeSeconds": "float",
    "stale": "bool",
    "nextChangeAt": "str",
})

ScoringReplyGatesItem = TypedDict("ScoringReplyGatesItem", {
    "name": "str",
    "rule": "str",
})

ScoringReplyExample = TypedDict("ScoringReplyExample", {
    "inputs": "dict[str, float]",
    "components": "dict[str, float]",
    "score": "float",
})

ScoringReply = TypedDict("ScoringReply", {
    "scoreVersion": "str",
    "weights": "dict[str, float]",
    "gates": "list[ScoringReplyGatesItem]",
    "windows": "dict[str, float]",
    "constants": "dict[str, float]",
    "formulas": "list[str]",
    "example": "ScoringReplyExample",
})

HealthReply = TypedDict("HealthReply", {
    "status": "Literal[\"ok\", \"degraded\"]",
    "version": "str",
    "network": "str",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "historyComplete": "bool",
})

AccuracyReplyResultsItemSkill = TypedDict("AccuracyReplyResultsItemSkill", {
    "lastEpoch": "float | None",
    "mean": "float | None",
})

AccuracyReplyResultsItemEpochsItem = TypedDict("AccuracyReplyResultsItemEpochsItem", {
    "epoch": "int",
    "forecasts": "int",
    "bias": "float",
    "meanAbsoluteError": "float",
    "coverage": "float | None",
    "rankCorrelation": "float",
})

AccuracyReplyResultsItem = TypedDict("AccuracyReplyResultsItem", {
    "engineVersion": "NotRequired[str]",
    "horizon": "NotRequired[int]",
    "forecasts": "NotRequired[int]",
    "bias": "NotRequired[float | None]",
    "meanAbsoluteError": "NotRequired[float | None]",
    "coverage": "NotRequired[float | None]",
    "rankCorrelation": "NotRequired[float | None]",
    "skill": "NotRequired[AccuracyReplyResultsItemSkill]",
    "blocks": "NotRequired[int]",
    "pending": "NotRequired[int]",
    "lost": "NotRequired[int]",
    "epochs": "NotRequired[list[AccuracyReplyResultsItemEpochsItem]]",
})

AccuracyReply = TypedDict("AccuracyReply", {
    "network": "str",
    "engineVersion": "str",
    "level": "float",
    "since": "str | None",
    "epoch": "int",
    "nextChangeAt": "str",
    "results": "list[AccuracyReplyResultsItem]",
})

NetworkReplyCommittee1 = TypedDict("NetworkReplyCommittee1", {
    "members": "int",
    "minMembers": "int",
    "maxMembers": "int",
    "changesLeft": "int | None",
})

NetworkReply = TypedDict("NetworkReply", {
    "network": "str",
    "symbol": "str",
    "decimals": "int",
    "minStakeAmount": "str",
    "minValidatorJoiningStake": "str",
    "minValidatorStake": "str",
    "epochDurationMs": "int",
    "totalStake": "str",
    "rewardsPerEpoch": "str",
    "rewardShape": "Literal[\"equal-share\", \"proportional\"]",
    "rewardCapShare": "float | None",
    "committee": "NetworkReplyCommittee1 | None",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
    "historyComplete": "bool",
})

ValidatorHistoriesReplyDataItem = TypedDict("ValidatorHistoriesReplyDataItem", {
    "id": "NotRequired[str]",
    "apy": "NotRequired[list[float | None]]",
    "commissionRate": "NotRequired[list[float | None]]",
    "performed": "NotRequired[list[bool | None]]",
})

ValidatorHistoriesReply = TypedDict("ValidatorHistoriesReply", {
    "epochs": "list[int]",
    "data": "list[ValidatorHistoriesReplyDataItem]",
    "total": "NotRequired[int]",
    "nextCursor": "NotRequired[str | None]",
    "epoch": "int",
    "nextChangeAt": "str",
    "historyComplete": "bool",
})

MetadataReply = TypedDict("MetadataReply", {
    "network": "str",
    "minStakeAmount": "str",
    "decimals": "int",
    "coinType": "str",
    "stakedTokenType": "str",
    "systemObjectId": "str",
    "epochDurationMs": "int",
    "minValidatorJoiningStake": "str",
    "symbol": "str",
    "units": "dict[str, str]",
})

UsageReplyLimits = TypedDict("UsageReplyLimits", {
    "rpm": "int",
    "rpd": "int",
})

UsageReplyUsed = TypedDict("UsageReplyUsed", {
    "rpm": "int",
    "rpd": "int",
})

UsageReplyRemaining = TypedDict("UsageReplyRemaining", {
    "rpm": "int",
    "rpd": "int",
})

UsageReplyResetAt = TypedDict("UsageReplyResetAt", {
    "minute": "str",
    "day": "str",
})

UsageReplyFeatures = TypedDict("UsageReplyFeatures", {
    "visibleValidators": "int | None",
    "rebalancing": "bool",
})

UsageReply = TypedDict("UsageReply", {
    "tier": "Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]",
    "limits": "UsageReplyLimits",
    "used": "UsageReplyUsed",
    "remaining": "UsageReplyRemaining",
    "addressRpm": "NotRequired[int]",
    "resetAt": "UsageReplyResetAt",
    "features": "UsageReplyFeatures",
})

ScoredValidatorsReplyValidatorsItemComponents = TypedDict("ScoredValidatorsReplyValidatorsItemComponents", {
    "apy": "float",
    "uptime": "float",
    "commission": "float",
    "gate": "float",
})

ScoredValidatorsReplyValidatorsItem = TypedDict("ScoredValidatorsReplyValidatorsItem", {
    "validatorId": "NotRequired[str]",
    "name": "NotRequired[str]",
    "score": "NotRequired[float]",
    "apy": "NotRequired[float | None]",
    "commissionRate": "NotRequired[float]",
    "totalStake": "NotRequired[str]",
    "uptime": "NotRequired[float | None]",
    "uptimeSource": "NotRequired[Literal[\"epoch_rewards\", \"simulation\"] | None]",
    "components": "NotRequired[ScoredValidatorsReplyValidatorsItemComponents]",
    "ineligible": "NotRequired[list[str]]",
})

ScoredValidatorsReply = TypedDict("ScoredValidatorsReply", {
    "validators": "list[ScoredValidatorsReplyValidatorsItem]",
    "total": "NotRequired[int]",
    "nextCursor": "NotRequired[str | None]",
    "unknown": "list[str]",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "tierDetail": "str",
    "scoreVersion": "str",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
})

AllocateExistingItem = TypedDict("AllocateExistingItem", {
    "stakedTokenId": "str",
    "validatorId": "str",
    "principal": "str",
})

AllocateGroupsItem = TypedDict("AllocateGroupsItem", {
    "name": "str",
    "validatorIds": "list[str]",
    "maxShare": "float",
})

AllocateKeepLiquid = TypedDict("AllocateKeepLiquid", {
    "amount": "str",
    "withinEpochs": "int",
})

AllocateReplyAllocationsItemRange1 = TypedDict("AllocateReplyAllocationsItemRange1", {
    "low": "float",
    "high": "float",
    "level": "float",
    "epochs": "int",
})

AllocateReplyAllocationsItem = TypedDict("AllocateReplyAllocationsItem", {
    "validatorId": "str",
    "name": "str",
    "amount": "str",
    "transactions": "NotRequired[int]",
    "weight": "float",
    "projectedApy": "float",
    "range": "AllocateReplyAllocationsItemRange1 | None",
})

AllocateReplyRange1 = TypedDict("AllocateReplyRange1", {
    "low": "float",
    "high": "float",
    "level": "float",
    "epochs": "int",
})

AllocateReplyCertificate = TypedDict("AllocateReplyCertificate", {
    "value": "float",
    "bound": "float",
    "gap": "float",
    "nodes": "int",
})

AllocateReplyExplanationChosenItem = TypedDict("AllocateReplyExplanationChosenItem", {
    "validatorId": "str",
    "name": "str",
    "apyBefore": "float",
    "apyAfter": "float",
    "marginalRate": "float",
    "heldBy": "Literal[\"whole_amount\", \"max_share\", \"min_stake\", \"group_share\", \"marginal_rate\"]",
})

AllocateReplyExplanationNext1 = TypedDict("AllocateReplyExplanationNext1", {
    "validatorId": "str",
    "name": "str",
    "entryRate": "float",
    "reason": "Literal[\"max_validators\", \"amount_too_small\", \"rate_too_low\"]",
    "costOfChoosing": "float",
})

AllocateReplyExplanationCurvesItemPointsItem = TypedDict("AllocateReplyExplanationCurvesItemPointsItem", {
    "amount": "str",
    "marginalRate": "float",
})

AllocateReplyExplanationCurvesItem = TypedDict("AllocateReplyExplanationCurvesItem", {
    "validatorId": "str",
    "points": "list[AllocateReplyExplanationCurvesItemPointsItem]",
})

AllocateReplyExplanation = TypedDict("AllocateReplyExplanation", {
    "marginalRate": "float",
    "chosen": "list[AllocateReplyExplanationChosenItem]",
    "next": "AllocateReplyExplanationNext1 | None",
    "curves": "list[AllocateReplyExplanationCurvesItem]",
})

AllocateReplyAlternativesItem = TypedDict("AllocateReplyAlternativesItem", {
    "name": "str",
    "validators": "int",
    "projectedApy": "float",
    "rewardsPerYear": "str",
})

AllocateReplyPolicyCostsItem = TypedDict("AllocateReplyPolicyCostsItem", {
    "rule": "Literal[\"validators\", \"minScore\", \"maxCommission\", \"maxShare\", \"maxPerTx\", \"minValidators\"]",
    "apy": "float",
})

AllocateReplyPolicyForbidsItem = TypedDict("AllocateReplyPolicyForbidsItem", {
    "rule": "str",
    "limit": "str",
    "actual": "str",
    "clearsAt": "str | None",
})

AllocateReplyPolicy = TypedDict("AllocateReplyPolicy", {
    "revision": "int",
    "policyHash": "str",
    "costs": "list[AllocateReplyPolicyCostsItem]",
    "forbids": "list[AllocateReplyPolicyForbidsItem]",
})

AllocateReply = TypedDict("AllocateReply", {
    "allocations": "list[AllocateReplyAllocationsItem]",
    "totalProjectedApy": "float",
    "rewardsPerYear": "str",
    "range": "AllocateReplyRange1 | None",
    "certificate": "AllocateReplyCertificate",
    "explanation": "NotRequired[AllocateReplyExplanation]",
    "alternatives": "NotRequired[list[AllocateReplyAlternativesItem]]",
    "policy": "NotRequired[AllocateReplyPolicy]",
    "heldBack": "str",
    "assumptions": "list[str]",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
    "snapshotId": "str",
})

PlanRebalancePositionsItem = TypedDict("PlanRebalancePositionsItem", {
    "stakedTokenId": "str",
    "validatorId": "str",
    "principal": "str",
})

PlanRebalanceGroupsItem = TypedDict("PlanRebalanceGroupsItem", {
    "name": "str",
    "validatorIds": "list[str]",
    "maxShare": "float",
})

PlanRebalanceKeepLiquid = TypedDict("PlanRebalanceKeepLiquid", {
    "amount": "str",
    "withinEpochs": "int",
})

PlanRebalanceReplyCurrentPositionsItem = TypedDict("PlanRebalanceReplyCurrentPositionsItem", {
    "validator": "str",
    "name": "str | None",
    "stakedAmount": "str",
    "currentApy": "float",
    "stakedTokenId": "str",
    "rewards": "str",
    "state": "Literal[\"pending\", \"active\", \"withdrawing\", \"withdrawable\"]",
})

PlanRebalanceReplyStepsItem = TypedDict("PlanRebalanceReplyStepsItem", {
    "action": "Literal[\"unstake\", \"stake\"]",
    "validator": "str",
    "name": "str | None",
    "amount": "str",
    "requiresEpochWait": "bool",
    "order": "int",
    "epoch": "int",
    "stakedTokenId": "NotRequired[str]",
    "rewards": "NotRequired[str]",
})

PlanRebalanceReplyCallsItemBodyItemsItem = TypedDict("PlanRebalanceReplyCallsItemBodyItemsItem", {
    "action": "Literal[\"stake\"]",
    "validatorId": "str",
    "amount": "str",
})

PlanRebalanceReplyCallsItemBody = TypedDict("PlanRebalanceReplyCallsItemBody", {
    "validatorId": "NotRequired[str]",
    "stakedTokenId": "NotRequired[str]",
    "amount": "NotRequired[str]",
    "items": "NotRequired[list[PlanRebalanceReplyCallsItemBodyItemsItem]]",
    "sender": "NotRequired[str]",
})

PlanRebalanceReplyCallsItem = TypedDict("PlanRebalanceReplyCallsItem", {
    "order": "int",
    "epoch": "int",
    "notBefore": "str",
    "before": "str",
    "method": "Literal[\"POST\"]",
    "path": "str",
    "body": "PlanRebalanceReplyCallsItemBody",
    "tokenOfCall": "NotRequired[int]",
    "paysOut": "str",
})

PlanRebalanceReplyTimelineItem = TypedDict("PlanRebalanceReplyTimelineItem", {
    "epoch": "int",
    "startsAt": "str",
    "requested": "str",
    "withdrawn": "str",
    "restaked": "str",
    "left": "str",
})

PlanRebalanceReplyPolicyCostsItem = TypedDict("PlanRebalanceReplyPolicyCostsItem", {
    "rule": "Literal[\"validators\", \"minScore\", \"maxCommission\", \"maxShare\", \"maxPerTx\", \"minValidators\"]",
    "apy": "float",
})

PlanRebalanceReplyPolicyForbidsItem = TypedDict("PlanRebalanceReplyPolicyForbidsItem", {
    "rule": "str",
    "limit": "str",
    "actual": "str",
    "clearsAt": "str | None",
})

PlanRebalanceReplyPolicy = TypedDict("PlanRebalanceReplyPolicy", {
    "revision": "int",
    "policyHash": "str",
    "costs": "list[PlanRebalanceReplyPolicyCostsItem]",
    "forbids": "list[PlanRebalanceReplyPolicyForbidsItem]",
})

PlanRebalanceReplySummaryRange1 = TypedDict("PlanRebalanceReplySummaryRange1", {
    "low": "float",
    "high": "float",
    "level": "float",
    "epochs": "int",
})

PlanRebalanceReplySummary = TypedDict("PlanRebalanceReplySummary", {
    "currentWeightedApy": "float",
    "projectedWeightedApy": "float",
    "range": "PlanRebalanceReplySummaryRange1 | None",
    "estimatedEpochsToComplete": "int",
    "breakEvenEpochs": "int | None",
    "horizonEpochs": "int",
    "recommendation": "Literal[\"move\", \"hold\"]",
    "reason": "str",
})

PlanRebalanceReplyCertificate = TypedDict("PlanRebalanceReplyCertificate", {
    "value": "float",
    "bound": "float",
    "gap": "float",
    "nodes": "int",
})

PlanRebalanceReply = TypedDict("PlanRebalanceReply", {
    "currentPositions": "list[PlanRebalanceReplyCurrentPositionsItem]",
    "steps": "list[PlanRebalanceReplyStepsItem]",
    "calls": "list[PlanRebalanceReplyCallsItem]",
    "timeline": "list[PlanRebalanceReplyTimelineItem]",
    "assumptions": "list[str]",
    "policy": "NotRequired[PlanRebalanceReplyPolicy]",
    "validUntil": "str",
    "summary": "PlanRebalanceReplySummary",
    "certificate": "PlanRebalanceReplyCertificate",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
    "snapshotId": "str",
})

BacktestGroupsItem = TypedDict("BacktestGroupsItem", {
    "name": "str",
    "validatorIds": "list[str]",
    "maxShare": "float",
})

BacktestReplyResultsItem = TypedDict("BacktestReplyResultsItem", {
    "name": "Literal[\"policy\", \"policy_held\", \"top_mean_held\", \"patient\", \"oracle\"]",
    "netApr": "float",
    "rewards": "str",
    "deviation": "float",
    "worstEpoch": "float",
    "turnover": "float",
    "switchingCost": "float",
})

BacktestReplyEpochsItem = TypedDict("BacktestReplyEpochsItem", {
    "epoch": "int",
    "policy": "float",
    "held": "float",
    "patient": "float",
    "oracle": "float",
    "moved": "float",
})

BacktestReply = TypedDict("BacktestReply", {
    "results": "list[BacktestReplyResultsItem]",
    "partOfOracle": "float | None",
    "epochs": "list[BacktestReplyEpochsItem]",
    "assumptions": "list[str]",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
    "snapshotId": "str",
})

PositionsReplyPositionsItem = TypedDict("PositionsReplyPositionsItem", {
    "stakedTokenId": "NotRequired[str]",
    "validatorId": "NotRequired[str]",
    "name": "NotRequired[str | None]",
    "principal": "NotRequired[str]",
    "rewards": "NotRequired[str]",
    "state": "NotRequired[Literal[\"pending\", \"active\", \"withdrawing\", \"withdrawable\"]]",
    "activationEpoch": "NotRequired[int]",
    "withdrawEpoch": "NotRequired[int | None]",
    "availableAt": "NotRequired[str | None]",
    "next": "NotRequired[Literal[\"unstake\", \"withdraw\", \"wait\"]]",
})

PositionsReply = TypedDict("PositionsReply", {
    "positions": "list[PositionsReplyPositionsItem]",
    "total": "int",
    "nextCursor": "str | None",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
})

RewardsReplyDataItem = TypedDict("RewardsReplyDataItem", {
    "epoch": "NotRequired[int]",
    "endedAt": "NotRequired[str]",
    "rewards": "NotRequired[str]",
})

RewardsReplyClaimableNow = TypedDict("RewardsReplyClaimableNow", {
    "tokens": "int",
    "principal": "str",
    "rewards": "str",
})

RewardsReply = TypedDict("RewardsReply", {
    "data": "list[RewardsReplyDataItem]",
    "earlier": "str",
    "total": "str",
    "claimableNow": "RewardsReplyClaimableNow",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
    "historyComplete": "bool",
})

DelegatorsReplyDelegatorsItem = TypedDict("DelegatorsReplyDelegatorsItem", {
    "owner": "NotRequired[str]",
    "stakedAmount": "NotRequired[str]",
    "tokens": "NotRequired[int]",
})

DelegatorsReply = TypedDict("DelegatorsReply", {
    "validatorId": "str",
    "delegators": "list[DelegatorsReplyDelegatorsItem]",
    "syncing": "bool",
    "complete": "bool",
    "listedAt": "str | None",
    "nextCursor": "str | None",
    "epoch": "int",
    "dataAgeSeconds": "float",
    "nextChangeAt": "str",
    "symbol": "str",
    "decimals": "int",
})

BuildStakeReplyArgumentsItem1 = TypedDict("BuildStakeReplyArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildStakeReplyArgumentsItem2 = TypedDict("BuildStakeReplyArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildStakeReplyArgumentsItem31 = TypedDict("BuildStakeReplyArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildStakeReplyArgumentsItem32 = TypedDict("BuildStakeReplyArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildStakeReplyArgumentsItem4 = TypedDict("BuildStakeReplyArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildStakeReplyCommandsItem1 = TypedDict("BuildStakeReplyCommandsItem1", {
    "kind": "Literal[\"coin\"]",
    "id": "str",
    "coinType": "str",
    "amount": "str",
})

BuildStakeReplyCommandsItem2ArgumentsItem1 = TypedDict("BuildStakeReplyCommandsItem2ArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildStakeReplyCommandsItem2ArgumentsItem2 = TypedDict("BuildStakeReplyCommandsItem2ArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildStakeReplyCommandsItem2ArgumentsItem31 = TypedDict("BuildStakeReplyCommandsItem2ArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildStakeReplyCommandsItem2ArgumentsItem32 = TypedDict("BuildStakeReplyCommandsItem2ArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildStakeReplyCommandsItem2ArgumentsItem4 = TypedDict("BuildStakeReplyCommandsItem2ArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildStakeReplyCommandsItem2 = TypedDict("BuildStakeReplyCommandsItem2", {
    "kind": "Literal[\"moveCall\"]",
    "id": "str",
    "target": "str",
    "typeArguments": "list[str]",
    "arguments": "list[BuildStakeReplyCommandsItem2ArgumentsItem1 | BuildStakeReplyCommandsItem2ArgumentsItem2 | BuildStakeReplyCommandsItem2ArgumentsItem31 | BuildStakeReplyCommandsItem2ArgumentsItem32 | BuildStakeReplyCommandsItem2ArgumentsItem4]",
})

BuildStakeReplyCommandsItem3ObjectsItem1 = TypedDict("BuildStakeReplyCommandsItem3ObjectsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildStakeReplyCommandsItem3ObjectsItem2 = TypedDict("BuildStakeReplyCommandsItem3ObjectsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildStakeReplyCommandsItem3ObjectsItem31 = TypedDict("BuildStakeReplyCommandsItem3ObjectsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildStakeReplyCommandsItem3ObjectsItem32 = TypedDict("BuildStakeReplyCommandsItem3ObjectsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildStakeReplyCommandsItem3ObjectsItem4 = TypedDict("BuildStakeReplyCommandsItem3ObjectsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildStakeReplyCommandsItem3 = TypedDict("BuildStakeReplyCommandsItem3", {
    "kind": "Literal[\"transferToSender\"]",
    "objects": "list[BuildStakeReplyCommandsItem3ObjectsItem1 | BuildStakeReplyCommandsItem3ObjectsItem2 | BuildStakeReplyCommandsItem3ObjectsItem31 | BuildStakeReplyCommandsItem3ObjectsItem32 | BuildStakeReplyCommandsItem3ObjectsItem4]",
})

BuildStakeReplyWarningsItem = TypedDict("BuildStakeReplyWarningsItem", {
    "rule": "Literal[\"candidate_may_lock\", \"not_in_committee\", \"loses_seat\", \"keeps_everything\", \"commission_rises\", \"at_risk\", \"reported\", \"expires_soon\", \"chain_refuses\"]",
    "message": "str",
})

BuildStakeReplySimulationEffects1BalancesItem = TypedDict("BuildStakeReplySimulationEffects1BalancesItem", {
    "coinType": "str",
    "change": "str",
})

BuildStakeReplySimulationEffects1StakedTokens = TypedDict("BuildStakeReplySimulationEffects1StakedTokens", {
    "created": "int",
    "changed": "int",
    "removed": "int",
})

BuildStakeReplySimulationEffects1 = TypedDict("BuildStakeReplySimulationEffects1", {
    "balances": "list[BuildStakeReplySimulationEffects1BalancesItem]",
    "stakedTokens": "BuildStakeReplySimulationEffects1StakedTokens",
})

BuildStakeReplySimulationAbort = TypedDict("BuildStakeReplySimulationAbort", {
    "module": "str",
    "code": "int",
    "name": "str | None",
})

BuildStakeReplySimulation = TypedDict("BuildStakeReplySimulation", {
    "status": "Literal[\"success\", \"aborted\", \"failed\", \"unavailable\"]",
    "gas": "str | None",
    "effects": "BuildStakeReplySimulationEffects1 | None",
    "abort": "NotRequired[BuildStakeReplySimulationAbort]",
    "reason": "NotRequired[str]",
})

BuildStakeReplyIntentExpectedEffectsItem = TypedDict("BuildStakeReplyIntentExpectedEffectsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validator": "NotRequired[str]",
    "stakedTokenId": "NotRequired[str]",
    "stakedTokenIds": "NotRequired[list[str]]",
    "amount": "NotRequired[str]",
})

BuildStakeReplyIntent = TypedDict("BuildStakeReplyIntent", {
    "v": "Literal[1]",
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\", \"batch\"]",
    "network": "str",
    "chainId": "str",
    "sender": "str | None",
    "validator": "str | None",
    "amount": "str | None",
    "expectedEffects": "list[BuildStakeReplyIntentExpectedEffectsItem]",
    "maxGas": "str",
    "expiresEpoch": "int | None",
    "policyHash": "str | None",
    "calls": "list[str]",
    "issuedAt": "str",
    "expiresAt": "str",
    "nonce": "str",
})

BuildStakeReplyIntentSignature = TypedDict("BuildStakeReplyIntentSignature", {
    "keyId": "str",
    "value": "str",
})

BuildStakeReply = TypedDict("BuildStakeReply", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "target": "str",
    "arguments": "list[BuildStakeReplyArgumentsItem1 | BuildStakeReplyArgumentsItem2 | BuildStakeReplyArgumentsItem31 | BuildStakeReplyArgumentsItem32 | BuildStakeReplyArgumentsItem4]",
    "typeArguments": "list[str]",
    "commands": "list[BuildStakeReplyCommandsItem1 | BuildStakeReplyCommandsItem2 | BuildStakeReplyCommandsItem3]",
    "transaction": "NotRequired[Any]",
    "summary": "str",
    "requiresEpochWait": "bool",
    "availableAtEpoch": "int",
    "availableAt": "str",
    "epoch": "int",
    "nextCommitteeSelected": "bool",
    "dataAgeSeconds": "float",
    "expiresAt": "str",
    "symbol": "str",
    "decimals": "int",
    "warnings": "list[BuildStakeReplyWarningsItem]",
    "simulation": "BuildStakeReplySimulation",
    "intent": "BuildStakeReplyIntent",
    "intentId": "str",
    "intentSignature": "BuildStakeReplyIntentSignature",
})

BuildUnstakeReplyArgumentsItem1 = TypedDict("BuildUnstakeReplyArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildUnstakeReplyArgumentsItem2 = TypedDict("BuildUnstakeReplyArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildUnstakeReplyArgumentsItem31 = TypedDict("BuildUnstakeReplyArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildUnstakeReplyArgumentsItem32 = TypedDict("BuildUnstakeReplyArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildUnstakeReplyArgumentsItem4 = TypedDict("BuildUnstakeReplyArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildUnstakeReplyCommandsItem1 = TypedDict("BuildUnstakeReplyCommandsItem1", {
    "kind": "Literal[\"coin\"]",
    "id": "str",
    "coinType": "str",
    "amount": "str",
})

BuildUnstakeReplyCommandsItem2ArgumentsItem1 = TypedDict("BuildUnstakeReplyCommandsItem2ArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildUnstakeReplyCommandsItem2ArgumentsItem2 = TypedDict("BuildUnstakeReplyCommandsItem2ArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildUnstakeReplyCommandsItem2ArgumentsItem31 = TypedDict("BuildUnstakeReplyCommandsItem2ArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildUnstakeReplyCommandsItem2ArgumentsItem32 = TypedDict("BuildUnstakeReplyCommandsItem2ArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildUnstakeReplyCommandsItem2ArgumentsItem4 = TypedDict("BuildUnstakeReplyCommandsItem2ArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildUnstakeReplyCommandsItem2 = TypedDict("BuildUnstakeReplyCommandsItem2", {
    "kind": "Literal[\"moveCall\"]",
    "id": "str",
    "target": "str",
    "typeArguments": "list[str]",
    "arguments": "list[BuildUnstakeReplyCommandsItem2ArgumentsItem1 | BuildUnstakeReplyCommandsItem2ArgumentsItem2 | BuildUnstakeReplyCommandsItem2ArgumentsItem31 | BuildUnstakeReplyCommandsItem2ArgumentsItem32 | BuildUnstakeReplyCommandsItem2ArgumentsItem4]",
})

BuildUnstakeReplyCommandsItem3ObjectsItem1 = TypedDict("BuildUnstakeReplyCommandsItem3ObjectsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildUnstakeReplyCommandsItem3ObjectsItem2 = TypedDict("BuildUnstakeReplyCommandsItem3ObjectsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildUnstakeReplyCommandsItem3ObjectsItem31 = TypedDict("BuildUnstakeReplyCommandsItem3ObjectsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildUnstakeReplyCommandsItem3ObjectsItem32 = TypedDict("BuildUnstakeReplyCommandsItem3ObjectsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildUnstakeReplyCommandsItem3ObjectsItem4 = TypedDict("BuildUnstakeReplyCommandsItem3ObjectsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildUnstakeReplyCommandsItem3 = TypedDict("BuildUnstakeReplyCommandsItem3", {
    "kind": "Literal[\"transferToSender\"]",
    "objects": "list[BuildUnstakeReplyCommandsItem3ObjectsItem1 | BuildUnstakeReplyCommandsItem3ObjectsItem2 | BuildUnstakeReplyCommandsItem3ObjectsItem31 | BuildUnstakeReplyCommandsItem3ObjectsItem32 | BuildUnstakeReplyCommandsItem3ObjectsItem4]",
})

BuildUnstakeReplyWarningsItem = TypedDict("BuildUnstakeReplyWarningsItem", {
    "rule": "Literal[\"candidate_may_lock\", \"not_in_committee\", \"loses_seat\", \"keeps_everything\", \"commission_rises\", \"at_risk\", \"reported\", \"expires_soon\", \"chain_refuses\"]",
    "message": "str",
})

BuildUnstakeReplySimulationEffects1BalancesItem = TypedDict("BuildUnstakeReplySimulationEffects1BalancesItem", {
    "coinType": "str",
    "change": "str",
})

BuildUnstakeReplySimulationEffects1StakedTokens = TypedDict("BuildUnstakeReplySimulationEffects1StakedTokens", {
    "created": "int",
    "changed": "int",
    "removed": "int",
})

BuildUnstakeReplySimulationEffects1 = TypedDict("BuildUnstakeReplySimulationEffects1", {
    "balances": "list[BuildUnstakeReplySimulationEffects1BalancesItem]",
    "stakedTokens": "BuildUnstakeReplySimulationEffects1StakedTokens",
})

BuildUnstakeReplySimulationAbort = TypedDict("BuildUnstakeReplySimulationAbort", {
    "module": "str",
    "code": "int",
    "name": "str | None",
})

BuildUnstakeReplySimulation = TypedDict("BuildUnstakeReplySimulation", {
    "status": "Literal[\"success\", \"aborted\", \"failed\", \"unavailable\"]",
    "gas": "str | None",
    "effects": "BuildUnstakeReplySimulationEffects1 | None",
    "abort": "NotRequired[BuildUnstakeReplySimulationAbort]",
    "reason": "NotRequired[str]",
})

BuildUnstakeReplyIntentExpectedEffectsItem = TypedDict("BuildUnstakeReplyIntentExpectedEffectsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validator": "NotRequired[str]",
    "stakedTokenId": "NotRequired[str]",
    "stakedTokenIds": "NotRequired[list[str]]",
    "amount": "NotRequired[str]",
})

BuildUnstakeReplyIntent = TypedDict("BuildUnstakeReplyIntent", {
    "v": "Literal[1]",
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\", \"batch\"]",
    "network": "str",
    "chainId": "str",
    "sender": "str | None",
    "validator": "str | None",
    "amount": "str | None",
    "expectedEffects": "list[BuildUnstakeReplyIntentExpectedEffectsItem]",
    "maxGas": "str",
    "expiresEpoch": "int | None",
    "policyHash": "str | None",
    "calls": "list[str]",
    "issuedAt": "str",
    "expiresAt": "str",
    "nonce": "str",
})

BuildUnstakeReplyIntentSignature = TypedDict("BuildUnstakeReplyIntentSignature", {
    "keyId": "str",
    "value": "str",
})

BuildUnstakeReply = TypedDict("BuildUnstakeReply", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "target": "str",
    "arguments": "list[BuildUnstakeReplyArgumentsItem1 | BuildUnstakeReplyArgumentsItem2 | BuildUnstakeReplyArgumentsItem31 | BuildUnstakeReplyArgumentsItem32 | BuildUnstakeReplyArgumentsItem4]",
    "typeArguments": "list[str]",
    "commands": "list[BuildUnstakeReplyCommandsItem1 | BuildUnstakeReplyCommandsItem2 | BuildUnstakeReplyCommandsItem3]",
    "transaction": "NotRequired[Any]",
    "summary": "str",
    "requiresEpochWait": "bool",
    "availableAtEpoch": "int",
    "availableAt": "str",
    "epoch": "int",
    "nextCommitteeSelected": "bool",
    "dataAgeSeconds": "float",
    "expiresAt": "str",
    "symbol": "str",
    "decimals": "int",
    "warnings": "list[BuildUnstakeReplyWarningsItem]",
    "simulation": "BuildUnstakeReplySimulation",
    "intent": "BuildUnstakeReplyIntent",
    "intentId": "str",
    "intentSignature": "BuildUnstakeReplyIntentSignature",
})

BuildWithdrawReplyArgumentsItem1 = TypedDict("BuildWithdrawReplyArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildWithdrawReplyArgumentsItem2 = TypedDict("BuildWithdrawReplyArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildWithdrawReplyArgumentsItem31 = TypedDict("BuildWithdrawReplyArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildWithdrawReplyArgumentsItem32 = TypedDict("BuildWithdrawReplyArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildWithdrawReplyArgumentsItem4 = TypedDict("BuildWithdrawReplyArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildWithdrawReplyCommandsItem1 = TypedDict("BuildWithdrawReplyCommandsItem1", {
    "kind": "Literal[\"coin\"]",
    "id": "str",
    "coinType": "str",
    "amount": "str",
})

BuildWithdrawReplyCommandsItem2ArgumentsItem1 = TypedDict("BuildWithdrawReplyCommandsItem2ArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildWithdrawReplyCommandsItem2ArgumentsItem2 = TypedDict("BuildWithdrawReplyCommandsItem2ArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildWithdrawReplyCommandsItem2ArgumentsItem31 = TypedDict("BuildWithdrawReplyCommandsItem2ArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildWithdrawReplyCommandsItem2ArgumentsItem32 = TypedDict("BuildWithdrawReplyCommandsItem2ArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildWithdrawReplyCommandsItem2ArgumentsItem4 = TypedDict("BuildWithdrawReplyCommandsItem2ArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildWithdrawReplyCommandsItem2 = TypedDict("BuildWithdrawReplyCommandsItem2", {
    "kind": "Literal[\"moveCall\"]",
    "id": "str",
    "target": "str",
    "typeArguments": "list[str]",
    "arguments": "list[BuildWithdrawReplyCommandsItem2ArgumentsItem1 | BuildWithdrawReplyCommandsItem2ArgumentsItem2 | BuildWithdrawReplyCommandsItem2ArgumentsItem31 | BuildWithdrawReplyCommandsItem2ArgumentsItem32 | BuildWithdrawReplyCommandsItem2ArgumentsItem4]",
})

BuildWithdrawReplyCommandsItem3ObjectsItem1 = TypedDict("BuildWithdrawReplyCommandsItem3ObjectsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildWithdrawReplyCommandsItem3ObjectsItem2 = TypedDict("BuildWithdrawReplyCommandsItem3ObjectsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildWithdrawReplyCommandsItem3ObjectsItem31 = TypedDict("BuildWithdrawReplyCommandsItem3ObjectsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildWithdrawReplyCommandsItem3ObjectsItem32 = TypedDict("BuildWithdrawReplyCommandsItem3ObjectsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildWithdrawReplyCommandsItem3ObjectsItem4 = TypedDict("BuildWithdrawReplyCommandsItem3ObjectsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildWithdrawReplyCommandsItem3 = TypedDict("BuildWithdrawReplyCommandsItem3", {
    "kind": "Literal[\"transferToSender\"]",
    "objects": "list[BuildWithdrawReplyCommandsItem3ObjectsItem1 | BuildWithdrawReplyCommandsItem3ObjectsItem2 | BuildWithdrawReplyCommandsItem3ObjectsItem31 | BuildWithdrawReplyCommandsItem3ObjectsItem32 | BuildWithdrawReplyCommandsItem3ObjectsItem4]",
})

BuildWithdrawReplyWarningsItem = TypedDict("BuildWithdrawReplyWarningsItem", {
    "rule": "Literal[\"candidate_may_lock\", \"not_in_committee\", \"loses_seat\", \"keeps_everything\", \"commission_rises\", \"at_risk\", \"reported\", \"expires_soon\", \"chain_refuses\"]",
    "message": "str",
})

BuildWithdrawReplySimulationEffects1BalancesItem = TypedDict("BuildWithdrawReplySimulationEffects1BalancesItem", {
    "coinType": "str",
    "change": "str",
})

BuildWithdrawReplySimulationEffects1StakedTokens = TypedDict("BuildWithdrawReplySimulationEffects1StakedTokens", {
    "created": "int",
    "changed": "int",
    "removed": "int",
})

BuildWithdrawReplySimulationEffects1 = TypedDict("BuildWithdrawReplySimulationEffects1", {
    "balances": "list[BuildWithdrawReplySimulationEffects1BalancesItem]",
    "stakedTokens": "BuildWithdrawReplySimulationEffects1StakedTokens",
})

BuildWithdrawReplySimulationAbort = TypedDict("BuildWithdrawReplySimulationAbort", {
    "module": "str",
    "code": "int",
    "name": "str | None",
})

BuildWithdrawReplySimulation = TypedDict("BuildWithdrawReplySimulation", {
    "status": "Literal[\"success\", \"aborted\", \"failed\", \"unavailable\"]",
    "gas": "str | None",
    "effects": "BuildWithdrawReplySimulationEffects1 | None",
    "abort": "NotRequired[BuildWithdrawReplySimulationAbort]",
    "reason": "NotRequired[str]",
})

BuildWithdrawReplyIntentExpectedEffectsItem = TypedDict("BuildWithdrawReplyIntentExpectedEffectsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validator": "NotRequired[str]",
    "stakedTokenId": "NotRequired[str]",
    "stakedTokenIds": "NotRequired[list[str]]",
    "amount": "NotRequired[str]",
})

BuildWithdrawReplyIntent = TypedDict("BuildWithdrawReplyIntent", {
    "v": "Literal[1]",
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\", \"batch\"]",
    "network": "str",
    "chainId": "str",
    "sender": "str | None",
    "validator": "str | None",
    "amount": "str | None",
    "expectedEffects": "list[BuildWithdrawReplyIntentExpectedEffectsItem]",
    "maxGas": "str",
    "expiresEpoch": "int | None",
    "policyHash": "str | None",
    "calls": "list[str]",
    "issuedAt": "str",
    "expiresAt": "str",
    "nonce": "str",
})

BuildWithdrawReplyIntentSignature = TypedDict("BuildWithdrawReplyIntentSignature", {
    "keyId": "str",
    "value": "str",
})

BuildWithdrawReply = TypedDict("BuildWithdrawReply", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "target": "str",
    "arguments": "list[BuildWithdrawReplyArgumentsItem1 | BuildWithdrawReplyArgumentsItem2 | BuildWithdrawReplyArgumentsItem31 | BuildWithdrawReplyArgumentsItem32 | BuildWithdrawReplyArgumentsItem4]",
    "typeArguments": "list[str]",
    "commands": "list[BuildWithdrawReplyCommandsItem1 | BuildWithdrawReplyCommandsItem2 | BuildWithdrawReplyCommandsItem3]",
    "transaction": "NotRequired[Any]",
    "summary": "str",
    "requiresEpochWait": "bool",
    "availableAtEpoch": "int",
    "availableAt": "str",
    "epoch": "int",
    "nextCommitteeSelected": "bool",
    "dataAgeSeconds": "float",
    "expiresAt": "str",
    "symbol": "str",
    "decimals": "int",
    "warnings": "list[BuildWithdrawReplyWarningsItem]",
    "simulation": "BuildWithdrawReplySimulation",
    "intent": "BuildWithdrawReplyIntent",
    "intentId": "str",
    "intentSignature": "BuildWithdrawReplyIntentSignature",
})

BuildJoinReplyArgumentsItem1 = TypedDict("BuildJoinReplyArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildJoinReplyArgumentsItem2 = TypedDict("BuildJoinReplyArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildJoinReplyArgumentsItem31 = TypedDict("BuildJoinReplyArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildJoinReplyArgumentsItem32 = TypedDict("BuildJoinReplyArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildJoinReplyArgumentsItem4 = TypedDict("BuildJoinReplyArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildJoinReplyCommandsItem1 = TypedDict("BuildJoinReplyCommandsItem1", {
    "kind": "Literal[\"coin\"]",
    "id": "str",
    "coinType": "str",
    "amount": "str",
})

BuildJoinReplyCommandsItem2ArgumentsItem1 = TypedDict("BuildJoinReplyCommandsItem2ArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildJoinReplyCommandsItem2ArgumentsItem2 = TypedDict("BuildJoinReplyCommandsItem2ArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildJoinReplyCommandsItem2ArgumentsItem31 = TypedDict("BuildJoinReplyCommandsItem2ArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildJoinReplyCommandsItem2ArgumentsItem32 = TypedDict("BuildJoinReplyCommandsItem2ArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildJoinReplyCommandsItem2ArgumentsItem4 = TypedDict("BuildJoinReplyCommandsItem2ArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildJoinReplyCommandsItem2 = TypedDict("BuildJoinReplyCommandsItem2", {
    "kind": "Literal[\"moveCall\"]",
    "id": "str",
    "target": "str",
    "typeArguments": "list[str]",
    "arguments": "list[BuildJoinReplyCommandsItem2ArgumentsItem1 | BuildJoinReplyCommandsItem2ArgumentsItem2 | BuildJoinReplyCommandsItem2ArgumentsItem31 | BuildJoinReplyCommandsItem2ArgumentsItem32 | BuildJoinReplyCommandsItem2ArgumentsItem4]",
})

BuildJoinReplyCommandsItem3ObjectsItem1 = TypedDict("BuildJoinReplyCommandsItem3ObjectsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildJoinReplyCommandsItem3ObjectsItem2 = TypedDict("BuildJoinReplyCommandsItem3ObjectsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildJoinReplyCommandsItem3ObjectsItem31 = TypedDict("BuildJoinReplyCommandsItem3ObjectsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildJoinReplyCommandsItem3ObjectsItem32 = TypedDict("BuildJoinReplyCommandsItem3ObjectsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildJoinReplyCommandsItem3ObjectsItem4 = TypedDict("BuildJoinReplyCommandsItem3ObjectsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildJoinReplyCommandsItem3 = TypedDict("BuildJoinReplyCommandsItem3", {
    "kind": "Literal[\"transferToSender\"]",
    "objects": "list[BuildJoinReplyCommandsItem3ObjectsItem1 | BuildJoinReplyCommandsItem3ObjectsItem2 | BuildJoinReplyCommandsItem3ObjectsItem31 | BuildJoinReplyCommandsItem3ObjectsItem32 | BuildJoinReplyCommandsItem3ObjectsItem4]",
})

BuildJoinReplyWarningsItem = TypedDict("BuildJoinReplyWarningsItem", {
    "rule": "Literal[\"candidate_may_lock\", \"not_in_committee\", \"loses_seat\", \"keeps_everything\", \"commission_rises\", \"at_risk\", \"reported\", \"expires_soon\", \"chain_refuses\"]",
    "message": "str",
})

BuildJoinReplySimulationEffects1BalancesItem = TypedDict("BuildJoinReplySimulationEffects1BalancesItem", {
    "coinType": "str",
    "change": "str",
})

BuildJoinReplySimulationEffects1StakedTokens = TypedDict("BuildJoinReplySimulationEffects1StakedTokens", {
    "created": "int",
    "changed": "int",
    "removed": "int",
})

BuildJoinReplySimulationEffects1 = TypedDict("BuildJoinReplySimulationEffects1", {
    "balances": "list[BuildJoinReplySimulationEffects1BalancesItem]",
    "stakedTokens": "BuildJoinReplySimulationEffects1StakedTokens",
})

BuildJoinReplySimulationAbort = TypedDict("BuildJoinReplySimulationAbort", {
    "module": "str",
    "code": "int",
    "name": "str | None",
})

BuildJoinReplySimulation = TypedDict("BuildJoinReplySimulation", {
    "status": "Literal[\"success\", \"aborted\", \"failed\", \"unavailable\"]",
    "gas": "str | None",
    "effects": "BuildJoinReplySimulationEffects1 | None",
    "abort": "NotRequired[BuildJoinReplySimulationAbort]",
    "reason": "NotRequired[str]",
})

BuildJoinReplyIntentExpectedEffectsItem = TypedDict("BuildJoinReplyIntentExpectedEffectsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validator": "NotRequired[str]",
    "stakedTokenId": "NotRequired[str]",
    "stakedTokenIds": "NotRequired[list[str]]",
    "amount": "NotRequired[str]",
})

BuildJoinReplyIntent = TypedDict("BuildJoinReplyIntent", {
    "v": "Literal[1]",
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\", \"batch\"]",
    "network": "str",
    "chainId": "str",
    "sender": "str | None",
    "validator": "str | None",
    "amount": "str | None",
    "expectedEffects": "list[BuildJoinReplyIntentExpectedEffectsItem]",
    "maxGas": "str",
    "expiresEpoch": "int | None",
    "policyHash": "str | None",
    "calls": "list[str]",
    "issuedAt": "str",
    "expiresAt": "str",
    "nonce": "str",
})

BuildJoinReplyIntentSignature = TypedDict("BuildJoinReplyIntentSignature", {
    "keyId": "str",
    "value": "str",
})

BuildJoinReply = TypedDict("BuildJoinReply", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "target": "str",
    "arguments": "list[BuildJoinReplyArgumentsItem1 | BuildJoinReplyArgumentsItem2 | BuildJoinReplyArgumentsItem31 | BuildJoinReplyArgumentsItem32 | BuildJoinReplyArgumentsItem4]",
    "typeArguments": "list[str]",
    "commands": "list[BuildJoinReplyCommandsItem1 | BuildJoinReplyCommandsItem2 | BuildJoinReplyCommandsItem3]",
    "transaction": "NotRequired[Any]",
    "summary": "str",
    "requiresEpochWait": "bool",
    "availableAtEpoch": "int",
    "availableAt": "str",
    "epoch": "int",
    "nextCommitteeSelected": "bool",
    "dataAgeSeconds": "float",
    "expiresAt": "str",
    "symbol": "str",
    "decimals": "int",
    "warnings": "list[BuildJoinReplyWarningsItem]",
    "simulation": "BuildJoinReplySimulation",
    "intent": "BuildJoinReplyIntent",
    "intentId": "str",
    "intentSignature": "BuildJoinReplyIntentSignature",
})

BuildBatchItemsItem1 = TypedDict("BuildBatchItemsItem1", {
    "action": "Literal[\"stake\"]",
    "validatorId": "str",
    "amount": "str",
})

BuildBatchItemsItem2 = TypedDict("BuildBatchItemsItem2", {
    "action": "Literal[\"unstake\"]",
    "stakedTokenId": "str",
    "amount": "NotRequired[str]",
})

BuildBatchItemsItem3 = TypedDict("BuildBatchItemsItem3", {
    "action": "Literal[\"withdraw\"]",
    "stakedTokenId": "str",
})

BuildBatchItemsItem4 = TypedDict("BuildBatchItemsItem4", {
    "action": "Literal[\"join\"]",
    "stakedTokenIds": "list[str]",
})

BuildBatchReplyCommandsItem1 = TypedDict("BuildBatchReplyCommandsItem1", {
    "kind": "Literal[\"coin\"]",
    "id": "str",
    "coinType": "str",
    "amount": "str",
})

BuildBatchReplyCommandsItem2ArgumentsItem1 = TypedDict("BuildBatchReplyCommandsItem2ArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildBatchReplyCommandsItem2ArgumentsItem2 = TypedDict("BuildBatchReplyCommandsItem2ArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildBatchReplyCommandsItem2ArgumentsItem31 = TypedDict("BuildBatchReplyCommandsItem2ArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildBatchReplyCommandsItem2ArgumentsItem32 = TypedDict("BuildBatchReplyCommandsItem2ArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildBatchReplyCommandsItem2ArgumentsItem4 = TypedDict("BuildBatchReplyCommandsItem2ArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildBatchReplyCommandsItem2 = TypedDict("BuildBatchReplyCommandsItem2", {
    "kind": "Literal[\"moveCall\"]",
    "id": "str",
    "target": "str",
    "typeArguments": "list[str]",
    "arguments": "list[BuildBatchReplyCommandsItem2ArgumentsItem1 | BuildBatchReplyCommandsItem2ArgumentsItem2 | BuildBatchReplyCommandsItem2ArgumentsItem31 | BuildBatchReplyCommandsItem2ArgumentsItem32 | BuildBatchReplyCommandsItem2ArgumentsItem4]",
})

BuildBatchReplyCommandsItem3ObjectsItem1 = TypedDict("BuildBatchReplyCommandsItem3ObjectsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

BuildBatchReplyCommandsItem3ObjectsItem2 = TypedDict("BuildBatchReplyCommandsItem3ObjectsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

BuildBatchReplyCommandsItem3ObjectsItem31 = TypedDict("BuildBatchReplyCommandsItem3ObjectsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

BuildBatchReplyCommandsItem3ObjectsItem32 = TypedDict("BuildBatchReplyCommandsItem3ObjectsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

BuildBatchReplyCommandsItem3ObjectsItem4 = TypedDict("BuildBatchReplyCommandsItem3ObjectsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

BuildBatchReplyCommandsItem3 = TypedDict("BuildBatchReplyCommandsItem3", {
    "kind": "Literal[\"transferToSender\"]",
    "objects": "list[BuildBatchReplyCommandsItem3ObjectsItem1 | BuildBatchReplyCommandsItem3ObjectsItem2 | BuildBatchReplyCommandsItem3ObjectsItem31 | BuildBatchReplyCommandsItem3ObjectsItem32 | BuildBatchReplyCommandsItem3ObjectsItem4]",
})

BuildBatchReplySimulationEffects1BalancesItem = TypedDict("BuildBatchReplySimulationEffects1BalancesItem", {
    "coinType": "str",
    "change": "str",
})

BuildBatchReplySimulationEffects1StakedTokens = TypedDict("BuildBatchReplySimulationEffects1StakedTokens", {
    "created": "int",
    "changed": "int",
    "removed": "int",
})

BuildBatchReplySimulationEffects1 = TypedDict("BuildBatchReplySimulationEffects1", {
    "balances": "list[BuildBatchReplySimulationEffects1BalancesItem]",
    "stakedTokens": "BuildBatchReplySimulationEffects1StakedTokens",
})

BuildBatchReplySimulationAbort = TypedDict("BuildBatchReplySimulationAbort", {
    "module": "str",
    "code": "int",
    "name": "str | None",
})

BuildBatchReplySimulation = TypedDict("BuildBatchReplySimulation", {
    "status": "Literal[\"success\", \"aborted\", \"failed\", \"unavailable\"]",
    "gas": "str | None",
    "effects": "BuildBatchReplySimulationEffects1 | None",
    "abort": "NotRequired[BuildBatchReplySimulationAbort]",
    "reason": "NotRequired[str]",
})

BuildBatchReplyIntentExpectedEffectsItem = TypedDict("BuildBatchReplyIntentExpectedEffectsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validator": "NotRequired[str]",
    "stakedTokenId": "NotRequired[str]",
    "stakedTokenIds": "NotRequired[list[str]]",
    "amount": "NotRequired[str]",
})

BuildBatchReplyIntent = TypedDict("BuildBatchReplyIntent", {
    "v": "Literal[1]",
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\", \"batch\"]",
    "network": "str",
    "chainId": "str",
    "sender": "str | None",
    "validator": "str | None",
    "amount": "str | None",
    "expectedEffects": "list[BuildBatchReplyIntentExpectedEffectsItem]",
    "maxGas": "str",
    "expiresEpoch": "int | None",
    "policyHash": "str | None",
    "calls": "list[str]",
    "issuedAt": "str",
    "expiresAt": "str",
    "nonce": "str",
})

BuildBatchReplyIntentSignature = TypedDict("BuildBatchReplyIntentSignature", {
    "keyId": "str",
    "value": "str",
})

BuildBatchReplyItemsItem = TypedDict("BuildBatchReplyItemsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "summary": "str",
    "requiresEpochWait": "bool",
    "availableAtEpoch": "int",
    "availableAt": "str",
})

BuildBatchReplyWarningsItem = TypedDict("BuildBatchReplyWarningsItem", {
    "rule": "Literal[\"candidate_may_lock\", \"not_in_committee\", \"loses_seat\", \"keeps_everything\", \"commission_rises\", \"at_risk\", \"reported\", \"expires_soon\", \"chain_refuses\"]",
    "message": "str",
    "item": "int | None",
})

BuildBatchReply = TypedDict("BuildBatchReply", {
    "commands": "list[BuildBatchReplyCommandsItem1 | BuildBatchReplyCommandsItem2 | BuildBatchReplyCommandsItem3]",
    "transaction": "NotRequired[Any]",
    "summary": "str",
    "epoch": "int",
    "nextCommitteeSelected": "bool",
    "dataAgeSeconds": "float",
    "expiresAt": "str",
    "symbol": "str",
    "decimals": "int",
    "simulation": "BuildBatchReplySimulation",
    "intent": "BuildBatchReplyIntent",
    "intentId": "str",
    "intentSignature": "BuildBatchReplyIntentSignature",
    "items": "list[BuildBatchReplyItemsItem]",
    "staked": "str",
    "warnings": "list[BuildBatchReplyWarningsItem]",
})

ReadPolicyReplyData1RulesItem1 = TypedDict("ReadPolicyReplyData1RulesItem1", {
    "rule": "Literal[\"actions\"]",
    "allow": "list[Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]]",
})

ReadPolicyReplyData1RulesItem2 = TypedDict("ReadPolicyReplyData1RulesItem2", {
    "rule": "Literal[\"networks\"]",
    "allow": "list[Literal[\"sandbox\", \"ika\", \"walrus\", \"sui\", \"ika-testnet\", \"walrus-testnet\", \"sui-testnet\"]]",
})

ReadPolicyReplyData1RulesItem3 = TypedDict("ReadPolicyReplyData1RulesItem3", {
    "rule": "Literal[\"validators\"]",
    "allow": "NotRequired[list[str]]",
    "deny": "NotRequired[list[str]]",
})

ReadPolicyReplyData1RulesItem4 = TypedDict("ReadPolicyReplyData1RulesItem4", {
    "rule": "Literal[\"maxPerTx\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

ReadPolicyReplyData1RulesItem5 = TypedDict("ReadPolicyReplyData1RulesItem5", {
    "rule": "Literal[\"maxPerWindow\"]",
    "amount": "str",
    "window": "Literal[\"hour\", \"day\", \"epoch\", \"30days\"]",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

ReadPolicyReplyData1RulesItem6 = TypedDict("ReadPolicyReplyData1RulesItem6", {
    "rule": "Literal[\"maxShare\"]",
    "share": "float",
})

ReadPolicyReplyData1RulesItem7 = TypedDict("ReadPolicyReplyData1RulesItem7", {
    "rule": "Literal[\"minScore\"]",
    "score": "float",
})

ReadPolicyReplyData1RulesItem8 = TypedDict("ReadPolicyReplyData1RulesItem8", {
    "rule": "Literal[\"maxCommission\"]",
    "commission": "float",
})

ReadPolicyReplyData1RulesItem9 = TypedDict("ReadPolicyReplyData1RulesItem9", {
    "rule": "Literal[\"minValidators\"]",
    "validators": "int",
})

ReadPolicyReplyData1RulesItem10 = TypedDict("ReadPolicyReplyData1RulesItem10", {
    "rule": "Literal[\"hours\"]",
    "days": "list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]",
    "from": "int",
    "to": "int",
})

ReadPolicyReplyData1RulesItem11 = TypedDict("ReadPolicyReplyData1RulesItem11", {
    "rule": "Literal[\"senders\"]",
    "allow": "list[str]",
})

ReadPolicyReplyData1RulesItem12 = TypedDict("ReadPolicyReplyData1RulesItem12", {
    "rule": "Literal[\"recipients\"]",
    "allow": "list[str]",
})

ReadPolicyReplyData1RulesItem13 = TypedDict("ReadPolicyReplyData1RulesItem13", {
    "rule": "Literal[\"approvalAbove\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

ReadPolicyReplyData1RulesItem14 = TypedDict("ReadPolicyReplyData1RulesItem14", {
    "rule": "Literal[\"paused\"]",
})

ReadPolicyReplyData1RulesItem15 = TypedDict("ReadPolicyReplyData1RulesItem15", {
    "rule": "Literal[\"expires\"]",
    "at": "str",
})

ReadPolicyReplyData1ChangedBy = TypedDict("ReadPolicyReplyData1ChangedBy", {
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"]",
})

ReadPolicyReplyData1BesideItemRulesItem1 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem1", {
    "rule": "Literal[\"actions\"]",
    "allow": "list[Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]]",
})

ReadPolicyReplyData1BesideItemRulesItem2 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem2", {
    "rule": "Literal[\"networks\"]",
    "allow": "list[Literal[\"sandbox\", \"ika\", \"walrus\", \"sui\", \"ika-testnet\", \"walrus-testnet\", \"sui-testnet\"]]",
})

ReadPolicyReplyData1BesideItemRulesItem3 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem3", {
    "rule": "Literal[\"validators\"]",
    "allow": "NotRequired[list[str]]",
    "deny": "NotRequired[list[str]]",
})

ReadPolicyReplyData1BesideItemRulesItem4 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem4", {
    "rule": "Literal[\"maxPerTx\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

ReadPolicyReplyData1BesideItemRulesItem5 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem5", {
    "rule": "Literal[\"maxPerWindow\"]",
    "amount": "str",
    "window": "Literal[\"hour\", \"day\", \"epoch\", \"30days\"]",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

ReadPolicyReplyData1BesideItemRulesItem6 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem6", {
    "rule": "Literal[\"maxShare\"]",
    "share": "float",
})

ReadPolicyReplyData1BesideItemRulesItem7 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem7", {
    "rule": "Literal[\"minScore\"]",
    "score": "float",
})

ReadPolicyReplyData1BesideItemRulesItem8 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem8", {
    "rule": "Literal[\"maxCommission\"]",
    "commission": "float",
})

ReadPolicyReplyData1BesideItemRulesItem9 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem9", {
    "rule": "Literal[\"minValidators\"]",
    "validators": "int",
})

ReadPolicyReplyData1BesideItemRulesItem10 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem10", {
    "rule": "Literal[\"hours\"]",
    "days": "list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]",
    "from": "int",
    "to": "int",
})

ReadPolicyReplyData1BesideItemRulesItem11 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem11", {
    "rule": "Literal[\"senders\"]",
    "allow": "list[str]",
})

ReadPolicyReplyData1BesideItemRulesItem12 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem12", {
    "rule": "Literal[\"recipients\"]",
    "allow": "list[str]",
})

ReadPolicyReplyData1BesideItemRulesItem13 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem13", {
    "rule": "Literal[\"approvalAbove\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

ReadPolicyReplyData1BesideItemRulesItem14 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem14", {
    "rule": "Literal[\"paused\"]",
})

ReadPolicyReplyData1BesideItemRulesItem15 = TypedDict("ReadPolicyReplyData1BesideItemRulesItem15", {
    "rule": "Literal[\"expires\"]",
    "at": "str",
})

ReadPolicyReplyData1BesideItem = TypedDict("ReadPolicyReplyData1BesideItem", {
    "revision": "int",
    "rules": "list[ReadPolicyReplyData1BesideItemRulesItem1 | ReadPolicyReplyData1BesideItemRulesItem2 | ReadPolicyReplyData1BesideItemRulesItem3 | ReadPolicyReplyData1BesideItemRulesItem4 | ReadPolicyReplyData1BesideItemRulesItem5 | ReadPolicyReplyData1BesideItemRulesItem6 | ReadPolicyReplyData1BesideItemRulesItem7 | ReadPolicyReplyData1BesideItemRulesItem8 | ReadPolicyReplyData1BesideItemRulesItem9 | ReadPolicyReplyData1BesideItemRulesItem10 | ReadPolicyReplyData1BesideItemRulesItem11 | ReadPolicyReplyData1BesideItemRulesItem12 | ReadPolicyReplyData1BesideItemRulesItem13 | ReadPolicyReplyData1BesideItemRulesItem14 | ReadPolicyReplyData1BesideItemRulesItem15]",
    "until": "str",
})

ReadPolicyReplyData1 = TypedDict("ReadPolicyReplyData1", {
    "revision": "int",
    "hash": "str",
    "rules": "list[ReadPolicyReplyData1RulesItem1 | ReadPolicyReplyData1RulesItem2 | ReadPolicyReplyData1RulesItem3 | ReadPolicyReplyData1RulesItem4 | ReadPolicyReplyData1RulesItem5 | ReadPolicyReplyData1RulesItem6 | ReadPolicyReplyData1RulesItem7 | ReadPolicyReplyData1RulesItem8 | ReadPolicyReplyData1RulesItem9 | ReadPolicyReplyData1RulesItem10 | ReadPolicyReplyData1RulesItem11 | ReadPolicyReplyData1RulesItem12 | ReadPolicyReplyData1RulesItem13 | ReadPolicyReplyData1RulesItem14 | ReadPolicyReplyData1RulesItem15]",
    "loosenAfterSeconds": "int",
    "changedAt": "str",
    "changedBy": "ReadPolicyReplyData1ChangedBy",
    "beside": "list[ReadPolicyReplyData1BesideItem]",
})

ReadPolicyReply = TypedDict("ReadPolicyReply", {
    "success": "Literal[True]",
    "data": "ReadPolicyReplyData1 | None",
    "symbol": "str",
    "decimals": "int",
})

WritePolicyRulesItem1 = TypedDict("WritePolicyRulesItem1", {
    "rule": "Literal[\"actions\"]",
    "allow": "list[Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]]",
})

WritePolicyRulesItem2 = TypedDict("WritePolicyRulesItem2", {
    "rule": "Literal[\"networks\"]",
    "allow": "list[Literal[\"sandbox\", \"ika\", \"walrus\", \"sui\", \"ika-testnet\", \"walrus-testnet\", \"sui-testnet\"]]",
})

WritePolicyRulesItem3 = TypedDict("WritePolicyRulesItem3", {
    "rule": "Literal[\"validators\"]",
    "allow": "NotRequired[list[str]]",
    "deny": "NotRequired[list[str]]",
})

WritePolicyRulesItem4 = TypedDict("WritePolicyRulesItem4", {
    "rule": "Literal[\"maxPerTx\"]",
    "amount": "str",
    "actions": "NotRequired[list[Literal[\"stake\", \"unstake\", \"withdraw\"]]]",
})

WritePolicyRulesItem5 = TypedDict("WritePolicyRulesItem5", {
    "rule": "Literal[\"maxPerWindow\"]",
    "amount": "str",
    "window": "Literal[\"hour\", \"day\", \"epoch\", \"30days\"]",
    "actions": "NotRequired[list[Literal[\"stake\", \"unstake\", \"withdraw\"]]]",
})

WritePolicyRulesItem6 = TypedDict("WritePolicyRulesItem6", {
    "rule": "Literal[\"maxShare\"]",
    "share": "float",
})

WritePolicyRulesItem7 = TypedDict("WritePolicyRulesItem7", {
    "rule": "Literal[\"minScore\"]",
    "score": "float",
})

WritePolicyRulesItem8 = TypedDict("WritePolicyRulesItem8", {
    "rule": "Literal[\"maxCommission\"]",
    "commission": "float",
})

WritePolicyRulesItem9 = TypedDict("WritePolicyRulesItem9", {
    "rule": "Literal[\"minValidators\"]",
    "validators": "int",
})

WritePolicyRulesItem10 = TypedDict("WritePolicyRulesItem10", {
    "rule": "Literal[\"hours\"]",
    "days": "NotRequired[list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]]",
    "from": "NotRequired[int]",
    "to": "NotRequired[int]",
})

WritePolicyRulesItem11 = TypedDict("WritePolicyRulesItem11", {
    "rule": "Literal[\"senders\"]",
    "allow": "list[str]",
})

WritePolicyRulesItem12 = TypedDict("WritePolicyRulesItem12", {
    "rule": "Literal[\"recipients\"]",
    "allow": "list[str]",
})

WritePolicyRulesItem13 = TypedDict("WritePolicyRulesItem13", {
    "rule": "Literal[\"approvalAbove\"]",
    "amount": "str",
    "actions": "NotRequired[list[Literal[\"stake\", \"unstake\", \"withdraw\"]]]",
})

WritePolicyRulesItem14 = TypedDict("WritePolicyRulesItem14", {
    "rule": "Literal[\"paused\"]",
})

WritePolicyRulesItem15 = TypedDict("WritePolicyRulesItem15", {
    "rule": "Literal[\"expires\"]",
    "at": "str",
})

WritePolicyReplyData1RulesItem1 = TypedDict("WritePolicyReplyData1RulesItem1", {
    "rule": "Literal[\"actions\"]",
    "allow": "list[Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]]",
})

WritePolicyReplyData1RulesItem2 = TypedDict("WritePolicyReplyData1RulesItem2", {
    "rule": "Literal[\"networks\"]",
    "allow": "list[Literal[\"sandbox\", \"ika\", \"walrus\", \"sui\", \"ika-testnet\", \"walrus-testnet\", \"sui-testnet\"]]",
})

WritePolicyReplyData1RulesItem3 = TypedDict("WritePolicyReplyData1RulesItem3", {
    "rule": "Literal[\"validators\"]",
    "allow": "NotRequired[list[str]]",
    "deny": "NotRequired[list[str]]",
})

WritePolicyReplyData1RulesItem4 = TypedDict("WritePolicyReplyData1RulesItem4", {
    "rule": "Literal[\"maxPerTx\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

WritePolicyReplyData1RulesItem5 = TypedDict("WritePolicyReplyData1RulesItem5", {
    "rule": "Literal[\"maxPerWindow\"]",
    "amount": "str",
    "window": "Literal[\"hour\", \"day\", \"epoch\", \"30days\"]",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

WritePolicyReplyData1RulesItem6 = TypedDict("WritePolicyReplyData1RulesItem6", {
    "rule": "Literal[\"maxShare\"]",
    "share": "float",
})

WritePolicyReplyData1RulesItem7 = TypedDict("WritePolicyReplyData1RulesItem7", {
    "rule": "Literal[\"minScore\"]",
    "score": "float",
})

WritePolicyReplyData1RulesItem8 = TypedDict("WritePolicyReplyData1RulesItem8", {
    "rule": "Literal[\"maxCommission\"]",
    "commission": "float",
})

WritePolicyReplyData1RulesItem9 = TypedDict("WritePolicyReplyData1RulesItem9", {
    "rule": "Literal[\"minValidators\"]",
    "validators": "int",
})

WritePolicyReplyData1RulesItem10 = TypedDict("WritePolicyReplyData1RulesItem10", {
    "rule": "Literal[\"hours\"]",
    "days": "list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]",
    "from": "int",
    "to": "int",
})

WritePolicyReplyData1RulesItem11 = TypedDict("WritePolicyReplyData1RulesItem11", {
    "rule": "Literal[\"senders\"]",
    "allow": "list[str]",
})

WritePolicyReplyData1RulesItem12 = TypedDict("WritePolicyReplyData1RulesItem12", {
    "rule": "Literal[\"recipients\"]",
    "allow": "list[str]",
})

WritePolicyReplyData1RulesItem13 = TypedDict("WritePolicyReplyData1RulesItem13", {
    "rule": "Literal[\"approvalAbove\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

WritePolicyReplyData1RulesItem14 = TypedDict("WritePolicyReplyData1RulesItem14", {
    "rule": "Literal[\"paused\"]",
})

WritePolicyReplyData1RulesItem15 = TypedDict("WritePolicyReplyData1RulesItem15", {
    "rule": "Literal[\"expires\"]",
    "at": "str",
})

WritePolicyReplyData1ChangedBy = TypedDict("WritePolicyReplyData1ChangedBy", {
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"]",
})

WritePolicyReplyData1BesideItemRulesItem1 = TypedDict("WritePolicyReplyData1BesideItemRulesItem1", {
    "rule": "Literal[\"actions\"]",
    "allow": "list[Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]]",
})

WritePolicyReplyData1BesideItemRulesItem2 = TypedDict("WritePolicyReplyData1BesideItemRulesItem2", {
    "rule": "Literal[\"networks\"]",
    "allow": "list[Literal[\"sandbox\", \"ika\", \"walrus\", \"sui\", \"ika-testnet\", \"walrus-testnet\", \"sui-testnet\"]]",
})

WritePolicyReplyData1BesideItemRulesItem3 = TypedDict("WritePolicyReplyData1BesideItemRulesItem3", {
    "rule": "Literal[\"validators\"]",
    "allow": "NotRequired[list[str]]",
    "deny": "NotRequired[list[str]]",
})

WritePolicyReplyData1BesideItemRulesItem4 = TypedDict("WritePolicyReplyData1BesideItemRulesItem4", {
    "rule": "Literal[\"maxPerTx\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

WritePolicyReplyData1BesideItemRulesItem5 = TypedDict("WritePolicyReplyData1BesideItemRulesItem5", {
    "rule": "Literal[\"maxPerWindow\"]",
    "amount": "str",
    "window": "Literal[\"hour\", \"day\", \"epoch\", \"30days\"]",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

WritePolicyReplyData1BesideItemRulesItem6 = TypedDict("WritePolicyReplyData1BesideItemRulesItem6", {
    "rule": "Literal[\"maxShare\"]",
    "share": "float",
})

WritePolicyReplyData1BesideItemRulesItem7 = TypedDict("WritePolicyReplyData1BesideItemRulesItem7", {
    "rule": "Literal[\"minScore\"]",
    "score": "float",
})

WritePolicyReplyData1BesideItemRulesItem8 = TypedDict("WritePolicyReplyData1BesideItemRulesItem8", {
    "rule": "Literal[\"maxCommission\"]",
    "commission": "float",
})

WritePolicyReplyData1BesideItemRulesItem9 = TypedDict("WritePolicyReplyData1BesideItemRulesItem9", {
    "rule": "Literal[\"minValidators\"]",
    "validators": "int",
})

WritePolicyReplyData1BesideItemRulesItem10 = TypedDict("WritePolicyReplyData1BesideItemRulesItem10", {
    "rule": "Literal[\"hours\"]",
    "days": "list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]",
    "from": "int",
    "to": "int",
})

WritePolicyReplyData1BesideItemRulesItem11 = TypedDict("WritePolicyReplyData1BesideItemRulesItem11", {
    "rule": "Literal[\"senders\"]",
    "allow": "list[str]",
})

WritePolicyReplyData1BesideItemRulesItem12 = TypedDict("WritePolicyReplyData1BesideItemRulesItem12", {
    "rule": "Literal[\"recipients\"]",
    "allow": "list[str]",
})

WritePolicyReplyData1BesideItemRulesItem13 = TypedDict("WritePolicyReplyData1BesideItemRulesItem13", {
    "rule": "Literal[\"approvalAbove\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

WritePolicyReplyData1BesideItemRulesItem14 = TypedDict("WritePolicyReplyData1BesideItemRulesItem14", {
    "rule": "Literal[\"paused\"]",
})

WritePolicyReplyData1BesideItemRulesItem15 = TypedDict("WritePolicyReplyData1BesideItemRulesItem15", {
    "rule": "Literal[\"expires\"]",
    "at": "str",
})

WritePolicyReplyData1BesideItem = TypedDict("WritePolicyReplyData1BesideItem", {
    "revision": "int",
    "rules": "list[WritePolicyReplyData1BesideItemRulesItem1 | WritePolicyReplyData1BesideItemRulesItem2 | WritePolicyReplyData1BesideItemRulesItem3 | WritePolicyReplyData1BesideItemRulesItem4 | WritePolicyReplyData1BesideItemRulesItem5 | WritePolicyReplyData1BesideItemRulesItem6 | WritePolicyReplyData1BesideItemRulesItem7 | WritePolicyReplyData1BesideItemRulesItem8 | WritePolicyReplyData1BesideItemRulesItem9 | WritePolicyReplyData1BesideItemRulesItem10 | WritePolicyReplyData1BesideItemRulesItem11 | WritePolicyReplyData1BesideItemRulesItem12 | WritePolicyReplyData1BesideItemRulesItem13 | WritePolicyReplyData1BesideItemRulesItem14 | WritePolicyReplyData1BesideItemRulesItem15]",
    "until": "str",
})

WritePolicyReplyData1 = TypedDict("WritePolicyReplyData1", {
    "revision": "int",
    "hash": "str",
    "rules": "list[WritePolicyReplyData1RulesItem1 | WritePolicyReplyData1RulesItem2 | WritePolicyReplyData1RulesItem3 | WritePolicyReplyData1RulesItem4 | WritePolicyReplyData1RulesItem5 | WritePolicyReplyData1RulesItem6 | WritePolicyReplyData1RulesItem7 | WritePolicyReplyData1RulesItem8 | WritePolicyReplyData1RulesItem9 | WritePolicyReplyData1RulesItem10 | WritePolicyReplyData1RulesItem11 | WritePolicyReplyData1RulesItem12 | WritePolicyReplyData1RulesItem13 | WritePolicyReplyData1RulesItem14 | WritePolicyReplyData1RulesItem15]",
    "loosenAfterSeconds": "int",
    "changedAt": "str",
    "changedBy": "WritePolicyReplyData1ChangedBy",
    "beside": "list[WritePolicyReplyData1BesideItem]",
})

WritePolicyReply = TypedDict("WritePolicyReply", {
    "success": "Literal[True]",
    "data": "WritePolicyReplyData1 | None",
    "symbol": "str",
    "decimals": "int",
})

PolicyRevisionsReplyDataItemRulesItem1 = TypedDict("PolicyRevisionsReplyDataItemRulesItem1", {
    "rule": "Literal[\"actions\"]",
    "allow": "list[Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]]",
})

PolicyRevisionsReplyDataItemRulesItem2 = TypedDict("PolicyRevisionsReplyDataItemRulesItem2", {
    "rule": "Literal[\"networks\"]",
    "allow": "list[Literal[\"sandbox\", \"ika\", \"walrus\", \"sui\", \"ika-testnet\", \"walrus-testnet\", \"sui-testnet\"]]",
})

PolicyRevisionsReplyDataItemRulesItem3 = TypedDict("PolicyRevisionsReplyDataItemRulesItem3", {
    "rule": "Literal[\"validators\"]",
    "allow": "NotRequired[list[str]]",
    "deny": "NotRequired[list[str]]",
})

PolicyRevisionsReplyDataItemRulesItem4 = TypedDict("PolicyRevisionsReplyDataItemRulesItem4", {
    "rule": "Literal[\"maxPerTx\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

PolicyRevisionsReplyDataItemRulesItem5 = TypedDict("PolicyRevisionsReplyDataItemRulesItem5", {
    "rule": "Literal[\"maxPerWindow\"]",
    "amount": "str",
    "window": "Literal[\"hour\", \"day\", \"epoch\", \"30days\"]",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

PolicyRevisionsReplyDataItemRulesItem6 = TypedDict("PolicyRevisionsReplyDataItemRulesItem6", {
    "rule": "Literal[\"maxShare\"]",
    "share": "float",
})

PolicyRevisionsReplyDataItemRulesItem7 = TypedDict("PolicyRevisionsReplyDataItemRulesItem7", {
    "rule": "Literal[\"minScore\"]",
    "score": "float",
})

PolicyRevisionsReplyDataItemRulesItem8 = TypedDict("PolicyRevisionsReplyDataItemRulesItem8", {
    "rule": "Literal[\"maxCommission\"]",
    "commission": "float",
})

PolicyRevisionsReplyDataItemRulesItem9 = TypedDict("PolicyRevisionsReplyDataItemRulesItem9", {
    "rule": "Literal[\"minValidators\"]",
    "validators": "int",
})

PolicyRevisionsReplyDataItemRulesItem10 = TypedDict("PolicyRevisionsReplyDataItemRulesItem10", {
    "rule": "Literal[\"hours\"]",
    "days": "list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]",
    "from": "int",
    "to": "int",
})

PolicyRevisionsReplyDataItemRulesItem11 = TypedDict("PolicyRevisionsReplyDataItemRulesItem11", {
    "rule": "Literal[\"senders\"]",
    "allow": "list[str]",
})

PolicyRevisionsReplyDataItemRulesItem12 = TypedDict("PolicyRevisionsReplyDataItemRulesItem12", {
    "rule": "Literal[\"recipients\"]",
    "allow": "list[str]",
})

PolicyRevisionsReplyDataItemRulesItem13 = TypedDict("PolicyRevisionsReplyDataItemRulesItem13", {
    "rule": "Literal[\"approvalAbove\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

PolicyRevisionsReplyDataItemRulesItem14 = TypedDict("PolicyRevisionsReplyDataItemRulesItem14", {
    "rule": "Literal[\"paused\"]",
})

PolicyRevisionsReplyDataItemRulesItem15 = TypedDict("PolicyRevisionsReplyDataItemRulesItem15", {
    "rule": "Literal[\"expires\"]",
    "at": "str",
})

PolicyRevisionsReplyDataItemChangedBy = TypedDict("PolicyRevisionsReplyDataItemChangedBy", {
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"]",
})

PolicyRevisionsReplyDataItem = TypedDict("PolicyRevisionsReplyDataItem", {
    "revision": "NotRequired[int]",
    "hash": "NotRequired[str]",
    "rules": "NotRequired[list[PolicyRevisionsReplyDataItemRulesItem1 | PolicyRevisionsReplyDataItemRulesItem2 | PolicyRevisionsReplyDataItemRulesItem3 | PolicyRevisionsReplyDataItemRulesItem4 | PolicyRevisionsReplyDataItemRulesItem5 | PolicyRevisionsReplyDataItemRulesItem6 | PolicyRevisionsReplyDataItemRulesItem7 | PolicyRevisionsReplyDataItemRulesItem8 | PolicyRevisionsReplyDataItemRulesItem9 | PolicyRevisionsReplyDataItemRulesItem10 | PolicyRevisionsReplyDataItemRulesItem11 | PolicyRevisionsReplyDataItemRulesItem12 | PolicyRevisionsReplyDataItemRulesItem13 | PolicyRevisionsReplyDataItemRulesItem14 | PolicyRevisionsReplyDataItemRulesItem15]]",
    "loosenAfterSeconds": "NotRequired[int]",
    "changedAt": "NotRequired[str]",
    "changedBy": "NotRequired[PolicyRevisionsReplyDataItemChangedBy]",
})

PolicyRevisionsReply = TypedDict("PolicyRevisionsReply", {
    "success": "Literal[True]",
    "data": "list[PolicyRevisionsReplyDataItem]",
    "nextCursor": "str | None",
    "symbol": "str",
    "decimals": "int",
})

OwnPolicyReplyPolicy1RulesItem1 = TypedDict("OwnPolicyReplyPolicy1RulesItem1", {
    "rule": "Literal[\"actions\"]",
    "allow": "list[Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]]",
})

OwnPolicyReplyPolicy1RulesItem2 = TypedDict("OwnPolicyReplyPolicy1RulesItem2", {
    "rule": "Literal[\"networks\"]",
    "allow": "list[Literal[\"sandbox\", \"ika\", \"walrus\", \"sui\", \"ika-testnet\", \"walrus-testnet\", \"sui-testnet\"]]",
})

OwnPolicyReplyPolicy1RulesItem3 = TypedDict("OwnPolicyReplyPolicy1RulesItem3", {
    "rule": "Literal[\"validators\"]",
    "allow": "NotRequired[list[str]]",
    "deny": "NotRequired[list[str]]",
})

OwnPolicyReplyPolicy1RulesItem4 = TypedDict("OwnPolicyReplyPolicy1RulesItem4", {
    "rule": "Literal[\"maxPerTx\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

OwnPolicyReplyPolicy1RulesItem5 = TypedDict("OwnPolicyReplyPolicy1RulesItem5", {
    "rule": "Literal[\"maxPerWindow\"]",
    "amount": "str",
    "window": "Literal[\"hour\", \"day\", \"epoch\", \"30days\"]",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

OwnPolicyReplyPolicy1RulesItem6 = TypedDict("OwnPolicyReplyPolicy1RulesItem6", {
    "rule": "Literal[\"maxShare\"]",
    "share": "float",
})

OwnPolicyReplyPolicy1RulesItem7 = TypedDict("OwnPolicyReplyPolicy1RulesItem7", {
    "rule": "Literal[\"minScore\"]",
    "score": "float",
})

OwnPolicyReplyPolicy1RulesItem8 = TypedDict("OwnPolicyReplyPolicy1RulesItem8", {
    "rule": "Literal[\"maxCommission\"]",
    "commission": "float",
})

OwnPolicyReplyPolicy1RulesItem9 = TypedDict("OwnPolicyReplyPolicy1RulesItem9", {
    "rule": "Literal[\"minValidators\"]",
    "validators": "int",
})

OwnPolicyReplyPolicy1RulesItem10 = TypedDict("OwnPolicyReplyPolicy1RulesItem10", {
    "rule": "Literal[\"hours\"]",
    "days": "list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]",
    "from": "int",
    "to": "int",
})

OwnPolicyReplyPolicy1RulesItem11 = TypedDict("OwnPolicyReplyPolicy1RulesItem11", {
    "rule": "Literal[\"senders\"]",
    "allow": "list[str]",
})

OwnPolicyReplyPolicy1RulesItem12 = TypedDict("OwnPolicyReplyPolicy1RulesItem12", {
    "rule": "Literal[\"recipients\"]",
    "allow": "list[str]",
})

OwnPolicyReplyPolicy1RulesItem13 = TypedDict("OwnPolicyReplyPolicy1RulesItem13", {
    "rule": "Literal[\"approvalAbove\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

OwnPolicyReplyPolicy1RulesItem14 = TypedDict("OwnPolicyReplyPolicy1RulesItem14", {
    "rule": "Literal[\"paused\"]",
})

OwnPolicyReplyPolicy1RulesItem15 = TypedDict("OwnPolicyReplyPolicy1RulesItem15", {
    "rule": "Literal[\"expires\"]",
    "at": "str",
})

OwnPolicyReplyPolicy1ChangedBy = TypedDict("OwnPolicyReplyPolicy1ChangedBy", {
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem1 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem1", {
    "rule": "Literal[\"actions\"]",
    "allow": "list[Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem2 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem2", {
    "rule": "Literal[\"networks\"]",
    "allow": "list[Literal[\"sandbox\", \"ika\", \"walrus\", \"sui\", \"ika-testnet\", \"walrus-testnet\", \"sui-testnet\"]]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem3 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem3", {
    "rule": "Literal[\"validators\"]",
    "allow": "NotRequired[list[str]]",
    "deny": "NotRequired[list[str]]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem4 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem4", {
    "rule": "Literal[\"maxPerTx\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem5 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem5", {
    "rule": "Literal[\"maxPerWindow\"]",
    "amount": "str",
    "window": "Literal[\"hour\", \"day\", \"epoch\", \"30days\"]",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem6 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem6", {
    "rule": "Literal[\"maxShare\"]",
    "share": "float",
})

OwnPolicyReplyPolicy1BesideItemRulesItem7 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem7", {
    "rule": "Literal[\"minScore\"]",
    "score": "float",
})

OwnPolicyReplyPolicy1BesideItemRulesItem8 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem8", {
    "rule": "Literal[\"maxCommission\"]",
    "commission": "float",
})

OwnPolicyReplyPolicy1BesideItemRulesItem9 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem9", {
    "rule": "Literal[\"minValidators\"]",
    "validators": "int",
})

OwnPolicyReplyPolicy1BesideItemRulesItem10 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem10", {
    "rule": "Literal[\"hours\"]",
    "days": "list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]",
    "from": "int",
    "to": "int",
})

OwnPolicyReplyPolicy1BesideItemRulesItem11 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem11", {
    "rule": "Literal[\"senders\"]",
    "allow": "list[str]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem12 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem12", {
    "rule": "Literal[\"recipients\"]",
    "allow": "list[str]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem13 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem13", {
    "rule": "Literal[\"approvalAbove\"]",
    "amount": "str",
    "actions": "list[Literal[\"stake\", \"unstake\", \"withdraw\"]]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem14 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem14", {
    "rule": "Literal[\"paused\"]",
})

OwnPolicyReplyPolicy1BesideItemRulesItem15 = TypedDict("OwnPolicyReplyPolicy1BesideItemRulesItem15", {
    "rule": "Literal[\"expires\"]",
    "at": "str",
})

OwnPolicyReplyPolicy1BesideItem = TypedDict("OwnPolicyReplyPolicy1BesideItem", {
    "revision": "int",
    "rules": "list[OwnPolicyReplyPolicy1BesideItemRulesItem1 | OwnPolicyReplyPolicy1BesideItemRulesItem2 | OwnPolicyReplyPolicy1BesideItemRulesItem3 | OwnPolicyReplyPolicy1BesideItemRulesItem4 | OwnPolicyReplyPolicy1BesideItemRulesItem5 | OwnPolicyReplyPolicy1BesideItemRulesItem6 | OwnPolicyReplyPolicy1BesideItemRulesItem7 | OwnPolicyReplyPolicy1BesideItemRulesItem8 | OwnPolicyReplyPolicy1BesideItemRulesItem9 | OwnPolicyReplyPolicy1BesideItemRulesItem10 | OwnPolicyReplyPolicy1BesideItemRulesItem11 | OwnPolicyReplyPolicy1BesideItemRulesItem12 | OwnPolicyReplyPolicy1BesideItemRulesItem13 | OwnPolicyReplyPolicy1BesideItemRulesItem14 | OwnPolicyReplyPolicy1BesideItemRulesItem15]",
    "until": "str",
})

OwnPolicyReplyPolicy1 = TypedDict("OwnPolicyReplyPolicy1", {
    "revision": "int",
    "hash": "str",
    "rules": "list[OwnPolicyReplyPolicy1RulesItem1 | OwnPolicyReplyPolicy1RulesItem2 | OwnPolicyReplyPolicy1RulesItem3 | OwnPolicyReplyPolicy1RulesItem4 | OwnPolicyReplyPolicy1RulesItem5 | OwnPolicyReplyPolicy1RulesItem6 | OwnPolicyReplyPolicy1RulesItem7 | OwnPolicyReplyPolicy1RulesItem8 | OwnPolicyReplyPolicy1RulesItem9 | OwnPolicyReplyPolicy1RulesItem10 | OwnPolicyReplyPolicy1RulesItem11 | OwnPolicyReplyPolicy1RulesItem12 | OwnPolicyReplyPolicy1RulesItem13 | OwnPolicyReplyPolicy1RulesItem14 | OwnPolicyReplyPolicy1RulesItem15]",
    "loosenAfterSeconds": "int",
    "changedAt": "str",
    "changedBy": "OwnPolicyReplyPolicy1ChangedBy",
    "beside": "list[OwnPolicyReplyPolicy1BesideItem]",
})

OwnPolicyReply = TypedDict("OwnPolicyReply", {
    "policy": "OwnPolicyReplyPolicy1 | None",
    "symbol": "str",
    "decimals": "int",
})

ReleaseReservationReply = TypedDict("ReleaseReservationReply", {
    "intentId": "str",
    "released": "Literal[True]",
})

SimulatePolicyItemsItem1 = TypedDict("SimulatePolicyItemsItem1", {
    "action": "Literal[\"stake\"]",
    "validatorId": "str",
    "amount": "str",
})

SimulatePolicyItemsItem2 = TypedDict("SimulatePolicyItemsItem2", {
    "action": "Literal[\"unstake\"]",
    "stakedTokenId": "str",
    "amount": "NotRequired[str]",
})

SimulatePolicyItemsItem3 = TypedDict("SimulatePolicyItemsItem3", {
    "action": "Literal[\"withdraw\"]",
    "stakedTokenId": "str",
})

SimulatePolicyItemsItem4 = TypedDict("SimulatePolicyItemsItem4", {
    "action": "Literal[\"join\"]",
    "stakedTokenIds": "list[str]",
})

SimulatePolicyReplyBrokenItem = TypedDict("SimulatePolicyReplyBrokenItem", {
    "rule": "str",
    "limit": "str",
    "actual": "str",
    "clearsAt": "str | None",
})

SimulatePolicyReply = TypedDict("SimulatePolicyReply", {
    "allowed": "bool",
    "revision": "int | None",
    "policyHash": "str | None",
    "broken": "list[SimulatePolicyReplyBrokenItem]",
    "needsApproval": "bool",
    "symbol": "str",
    "decimals": "int",
})

ListApprovalsReplyDataItemItemsItem = TypedDict("ListApprovalsReplyDataItemItemsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validatorId": "str",
    "amount": "str",
    "stakedTokenId": "str | None",
    "joinedIds": "NotRequired[list[str]]",
})

ListApprovalsReplyDataItemReason = TypedDict("ListApprovalsReplyDataItemReason", {
    "rule": "Literal[\"approvalAbove\"]",
    "revision": "int",
    "limit": "str",
    "actual": "str",
})

ListApprovalsReplyDataItemDecidedBy1 = TypedDict("ListApprovalsReplyDataItemDecidedBy1", {
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"]",
})

ListApprovalsReplyDataItem = TypedDict("ListApprovalsReplyDataItem", {
    "approvalId": "NotRequired[str]",
    "state": "NotRequired[Literal[\"waiting\", \"approved\", \"refused\", \"used\", \"expired\"]]",
    "network": "NotRequired[str]",
    "sender": "NotRequired[str | None]",
    "items": "NotRequired[list[ListApprovalsReplyDataItemItemsItem]]",
    "amount": "NotRequired[str]",
    "reason": "NotRequired[ListApprovalsReplyDataItemReason]",
    "wishHash": "NotRequired[str]",
    "createdAt": "NotRequired[str]",
    "expiresAt": "NotRequired[str]",
    "decidedAt": "NotRequired[str | None]",
    "decidedBy": "NotRequired[ListApprovalsReplyDataItemDecidedBy1 | None]",
    "intentId": "NotRequired[str | None]",
})

ListApprovalsReply = TypedDict("ListApprovalsReply", {
    "success": "Literal[True]",
    "data": "list[ListApprovalsReplyDataItem]",
    "nextCursor": "str | None",
    "symbol": "str",
    "decimals": "int",
})

WaitingApprovalsReplyDataItemItemsItem = TypedDict("WaitingApprovalsReplyDataItemItemsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validatorId": "str",
    "amount": "str",
    "stakedTokenId": "str | None",
    "joinedIds": "NotRequired[list[str]]",
})

WaitingApprovalsReplyDataItemReason = TypedDict("WaitingApprovalsReplyDataItemReason", {
    "rule": "Literal[\"approvalAbove\"]",
    "revision": "int",
    "limit": "str",
    "actual": "str",
})

WaitingApprovalsReplyDataItemDecidedBy1 = TypedDict("WaitingApprovalsReplyDataItemDecidedBy1", {
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"]",
})

WaitingApprovalsReplyDataItem = TypedDict("WaitingApprovalsReplyDataItem", {
    "approvalId": "NotRequired[str]",
    "state": "NotRequired[Literal[\"waiting\", \"approved\", \"refused\", \"used\", \"expired\"]]",
    "network": "NotRequired[str]",
    "sender": "NotRequired[str | None]",
    "items": "NotRequired[list[WaitingApprovalsReplyDataItemItemsItem]]",
    "amount": "NotRequired[str]",
    "reason": "NotRequired[WaitingApprovalsReplyDataItemReason]",
    "wishHash": "NotRequired[str]",
    "createdAt": "NotRequired[str]",
    "expiresAt": "NotRequired[str]",
    "decidedAt": "NotRequired[str | None]",
    "decidedBy": "NotRequired[WaitingApprovalsReplyDataItemDecidedBy1 | None]",
    "intentId": "NotRequired[str | None]",
    "agentId": "NotRequired[str]",
    "agentName": "NotRequired[str]",
})

WaitingApprovalsReply = TypedDict("WaitingApprovalsReply", {
    "success": "Literal[True]",
    "data": "list[WaitingApprovalsReplyDataItem]",
    "nextCursor": "str | None",
    "symbol": "str",
    "decimals": "int",
})

ReadApprovalReplyDataItemsItem = TypedDict("ReadApprovalReplyDataItemsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validatorId": "str",
    "amount": "str",
    "stakedTokenId": "str | None",
    "joinedIds": "NotRequired[list[str]]",
})

ReadApprovalReplyDataReason = TypedDict("ReadApprovalReplyDataReason", {
    "rule": "Literal[\"approvalAbove\"]",
    "revision": "int",
    "limit": "str",
    "actual": "str",
})

ReadApprovalReplyDataDecidedBy1 = TypedDict("ReadApprovalReplyDataDecidedBy1", {
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"]",
})

ReadApprovalReplyData = TypedDict("ReadApprovalReplyData", {
    "approvalId": "str",
    "state": "Literal[\"waiting\", \"approved\", \"refused\", \"used\", \"expired\"]",
    "network": "str",
    "sender": "str | None",
    "items": "list[ReadApprovalReplyDataItemsItem]",
    "amount": "str",
    "reason": "ReadApprovalReplyDataReason",
    "wishHash": "str",
    "createdAt": "str",
    "expiresAt": "str",
    "decidedAt": "str | None",
    "decidedBy": "ReadApprovalReplyDataDecidedBy1 | None",
    "intentId": "str | None",
})

ReadApprovalReply = TypedDict("ReadApprovalReply", {
    "success": "Literal[True]",
    "data": "ReadApprovalReplyData",
    "symbol": "str",
    "decimals": "int",
})

DecideApprovalReplyDataItemsItem = TypedDict("DecideApprovalReplyDataItemsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validatorId": "str",
    "amount": "str",
    "stakedTokenId": "str | None",
    "joinedIds": "NotRequired[list[str]]",
})

DecideApprovalReplyDataReason = TypedDict("DecideApprovalReplyDataReason", {
    "rule": "Literal[\"approvalAbove\"]",
    "revision": "int",
    "limit": "str",
    "actual": "str",
})

DecideApprovalReplyDataDecidedBy1 = TypedDict("DecideApprovalReplyDataDecidedBy1", {
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"]",
})

DecideApprovalReplyData = TypedDict("DecideApprovalReplyData", {
    "approvalId": "str",
    "state": "Literal[\"waiting\", \"approved\", \"refused\", \"used\", \"expired\"]",
    "network": "str",
    "sender": "str | None",
    "items": "list[DecideApprovalReplyDataItemsItem]",
    "amount": "str",
    "reason": "DecideApprovalReplyDataReason",
    "wishHash": "str",
    "createdAt": "str",
    "expiresAt": "str",
    "decidedAt": "str | None",
    "decidedBy": "DecideApprovalReplyDataDecidedBy1 | None",
    "intentId": "str | None",
})

DecideApprovalReply = TypedDict("DecideApprovalReply", {
    "success": "Literal[True]",
    "data": "DecideApprovalReplyData",
    "symbol": "str",
    "decimals": "int",
})

ListReservationsReplyDataItemItemsItem = TypedDict("ListReservationsReplyDataItemItemsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validatorId": "str",
    "amount": "str",
})

ListReservationsReplyDataItem = TypedDict("ListReservationsReplyDataItem", {
    "reservationId": "NotRequired[str]",
    "intentId": "NotRequired[str]",
    "state": "NotRequired[Literal[\"open\", \"expired\", \"carriedOut\"]]",
    "builtAt": "NotRequired[str]",
    "expiresAt": "NotRequired[str]",
    "epoch": "NotRequired[int]",
    "sender": "NotRequired[str | None]",
    "items": "NotRequired[list[ListReservationsReplyDataItemItemsItem]]",
})

ListReservationsReply = TypedDict("ListReservationsReply", {
    "success": "Literal[True]",
    "data": "list[ListReservationsReplyDataItem]",
    "nextCursor": "str | None",
    "symbol": "str",
    "decimals": "int",
})

CancelReservationReplyData = TypedDict("CancelReservationReplyData", {
    "reservationId": "str",
    "status": "Literal[\"released\"]",
})

CancelReservationReply = TypedDict("CancelReservationReply", {
    "success": "Literal[True]",
    "data": "CancelReservationReplyData",
})

IntentKeysReplyKeysItem = TypedDict("IntentKeysReplyKeysItem", {
    "kid": "str",
    "kty": "Literal[\"OKP\"]",
    "crv": "Literal[\"Ed25519\"]",
    "x": "str",
    "use": "Literal[\"sig\"]",
    "alg": "Literal[\"EdDSA\"]",
    "validFrom": "str",
    "validUntil": "str | None",
})

IntentKeysReply = TypedDict("IntentKeysReply", {
    "keys": "list[IntentKeysReplyKeysItem]",
})

SandboxKeyReplyDataRateLimits = TypedDict("SandboxKeyReplyDataRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

SandboxKeyReplyData = TypedDict("SandboxKeyReplyData", {
    "id": "str",
    "apiKey": "str",
    "keyPrefix": "str",
    "tier": "Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]",
    "status": "Literal[\"pending_verification\", \"active\", \"revoked\", \"expired\", \"suspended\"]",
    "rateLimits": "SandboxKeyReplyDataRateLimits",
    "permissions": "list[Literal[\"read\"]]",
    "warning": "str",
})

SandboxKeyReply = TypedDict("SandboxKeyReply", {
    "success": "Literal[True]",
    "data": "SandboxKeyReplyData",
})

SandboxExecuteCommandsItem1 = TypedDict("SandboxExecuteCommandsItem1", {
    "kind": "Literal[\"coin\"]",
    "id": "str",
    "coinType": "str",
    "amount": "str",
})

SandboxExecuteCommandsItem2ArgumentsItem1 = TypedDict("SandboxExecuteCommandsItem2ArgumentsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

SandboxExecuteCommandsItem2ArgumentsItem2 = TypedDict("SandboxExecuteCommandsItem2ArgumentsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

SandboxExecuteCommandsItem2ArgumentsItem31 = TypedDict("SandboxExecuteCommandsItem2ArgumentsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

SandboxExecuteCommandsItem2ArgumentsItem32 = TypedDict("SandboxExecuteCommandsItem2ArgumentsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

SandboxExecuteCommandsItem2ArgumentsItem4 = TypedDict("SandboxExecuteCommandsItem2ArgumentsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

SandboxExecuteCommandsItem2 = TypedDict("SandboxExecuteCommandsItem2", {
    "kind": "Literal[\"moveCall\"]",
    "id": "str",
    "target": "str",
    "typeArguments": "list[str]",
    "arguments": "list[SandboxExecuteCommandsItem2ArgumentsItem1 | SandboxExecuteCommandsItem2ArgumentsItem2 | SandboxExecuteCommandsItem2ArgumentsItem31 | SandboxExecuteCommandsItem2ArgumentsItem32 | SandboxExecuteCommandsItem2ArgumentsItem4]",
})

SandboxExecuteCommandsItem3ObjectsItem1 = TypedDict("SandboxExecuteCommandsItem3ObjectsItem1", {
    "kind": "Literal[\"sharedObject\"]",
    "objectId": "str",
    "initialSharedVersion": "str",
    "mutable": "bool",
})

SandboxExecuteCommandsItem3ObjectsItem2 = TypedDict("SandboxExecuteCommandsItem3ObjectsItem2", {
    "kind": "Literal[\"ownedObject\"]",
    "objectId": "str",
})

SandboxExecuteCommandsItem3ObjectsItem31 = TypedDict("SandboxExecuteCommandsItem3ObjectsItem31", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"u64\"]",
    "value": "str",
})

SandboxExecuteCommandsItem3ObjectsItem32 = TypedDict("SandboxExecuteCommandsItem3ObjectsItem32", {
    "kind": "Literal[\"pure\"]",
    "type": "Literal[\"id\", \"address\"]",
    "value": "str",
})

SandboxExecuteCommandsItem3ObjectsItem4 = TypedDict("SandboxExecuteCommandsItem3ObjectsItem4", {
    "kind": "Literal[\"result\"]",
    "of": "str",
})

SandboxExecuteCommandsItem3 = TypedDict("SandboxExecuteCommandsItem3", {
    "kind": "Literal[\"transferToSender\"]",
    "objects": "list[SandboxExecuteCommandsItem3ObjectsItem1 | SandboxExecuteCommandsItem3ObjectsItem2 | SandboxExecuteCommandsItem3ObjectsItem31 | SandboxExecuteCommandsItem3ObjectsItem32 | SandboxExecuteCommandsItem3ObjectsItem4]",
})

SandboxExecuteIntentExpectedEffectsItem = TypedDict("SandboxExecuteIntentExpectedEffectsItem", {
    "action": "Literal[\"stake\", \"unstake\", \"withdraw\", \"join\"]",
    "validator": "NotRequired[str]",
    "stakedTokenId": "NotRequired[str]",
    "stakedTokenIds": "NotRequired[list[str]]",
    "amount": "NotRequired[str]",
})

SandboxExecuteIntent = TypedDict("SandboxExecuteIntent", {
    "expiresEpoch": "int | None",
    "sender": "NotRequired[str | None]",
    "nonce": "NotRequired[str]",
    "expectedEffects": "NotRequired[list[SandboxExecuteIntentExpectedEffectsItem]]",
})

SandboxExecuteReplyCreatedItem = TypedDict("SandboxExecuteReplyCreatedItem", {
    "stakedTokenId": "str",
    "validatorId": "str",
    "principal": "str",
    "activationEpoch": "int",
})

SandboxExecuteReplyChangedItem = TypedDict("SandboxExecuteReplyChangedItem", {
    "stakedTokenId": "str",
    "withdrawEpoch": "int | None",
})

SandboxExecuteReplyAbort = TypedDict("SandboxExecuteReplyAbort", {
    "module": "str",
    "code": "int",
    "name": "str",
    "message": "str",
})

SandboxExecuteReply = TypedDict("SandboxExecuteReply", {
    "status": "Literal[\"done\", \"aborted\"]",
    "epoch": "int",
    "created": "list[SandboxExecuteReplyCreatedItem]",
    "changed": "list[SandboxExecuteReplyChangedItem]",
    "consumed": "list[str]",
    "coinsPaidOut": "str",
    "symbol": "str",
    "decimals": "int",
    "abort": "NotRequired[SandboxExecuteReplyAbort]",
})

SandboxAdvanceReply = TypedDict("SandboxAdvanceReply", {
    "epoch": "int",
})

SelfRegisterReplyDataRateLimits = TypedDict("SelfRegisterReplyDataRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

SelfRegisterReplyData = TypedDict("SelfRegisterReplyData", {
    "id": "str",
    "apiKey": "str",
    "keyPrefix": "str",
    "tier": "Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]",
    "status": "Literal[\"pending_verification\", \"active\", \"revoked\", \"expired\", \"suspended\"]",
    "rateLimits": "SelfRegisterReplyDataRateLimits",
    "permissions": "list[Literal[\"read\"]]",
    "warning": "str",
})

SelfRegisterReply = TypedDict("SelfRegisterReply", {
    "success": "Literal[True]",
    "data": "SelfRegisterReplyData",
})

WalletChallengeReplyData = TypedDict("WalletChallengeReplyData", {
    "message": "str",
    "nonce": "str",
    "expiresAt": "str",
})

WalletChallengeReply = TypedDict("WalletChallengeReply", {
    "success": "Literal[True]",
    "data": "WalletChallengeReplyData",
})

VerifyEmailReplyData = TypedDict("VerifyEmailReplyData", {
    "id": "str",
    "status": "Literal[\"active\"]",
    "tier": "Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]",
    "keyPrefix": "str",
    "verifiedAt": "str",
})

VerifyEmailReply = TypedDict("VerifyEmailReply", {
    "success": "Literal[True]",
    "data": "VerifyEmailReplyData",
})

ResendVerificationReplyData = TypedDict("ResendVerificationReplyData", {
    "message": "str",
})

ResendVerificationReply = TypedDict("ResendVerificationReply", {
    "success": "Literal[True]",
    "data": "ResendVerificationReplyData",
})

ListAgentsReplyDataItemPreviousKey1 = TypedDict("ListAgentsReplyDataItemPreviousKey1", {
    "id": "Literal[\"previous\"]",
    "keyPrefix": "str",
    "expiresAt": "str",
})

ListAgentsReplyDataItemRateLimits = TypedDict("ListAgentsReplyDataItemRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

ListAgentsReplyDataItemUsed = TypedDict("ListAgentsReplyDataItemUsed", {
    "rpm": "int",
    "rpd": "int",
})

ListAgentsReplyDataItemPolicy1 = TypedDict("ListAgentsReplyDataItemPolicy1", {
    "revision": "int",
    "paused": "bool",
    "rules": "list[Literal[\"actions\", \"networks\", \"validators\", \"maxPerTx\", \"maxPerWindow\", \"maxShare\", \"minScore\", \"maxCommission\", \"minValidators\", \"hours\", \"senders\", \"recipients\", \"approvalAbove\", \"paused\", \"expires\"]]",
})

ListAgentsReplyDataItem = TypedDict("ListAgentsReplyDataItem", {
    "id": "NotRequired[str]",
    "agentName": "NotRequired[str]",
    "owner": "NotRequired[str]",
    "agentType": "NotRequired[Literal[\"autonomous\", \"assistant\", \"bot\", \"service\", \"other\"]]",
    "identityTier": "NotRequired[Literal[\"unverified\", \"email_verified\", \"wallet_verified\", \"user_linked\", \"admin_verified\"]]",
    "tier": "NotRequired[Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]]",
    "status": "NotRequired[Literal[\"pending_verification\", \"active\", \"revoked\", \"expired\", \"suspended\"]]",
    "keyPrefix": "NotRequired[str]",
    "previousKey": "NotRequired[ListAgentsReplyDataItemPreviousKey1 | None]",
    "rateLimits": "NotRequired[ListAgentsReplyDataItemRateLimits]",
    "used": "NotRequired[ListAgentsReplyDataItemUsed]",
    "requestsPerDay": "NotRequired[list[int]]",
    "policy": "NotRequired[ListAgentsReplyDataItemPolicy1 | None]",
    "permissions": "NotRequired[list[Literal[\"read\"]]]",
    "createdAt": "NotRequired[str]",
    "verifiedAt": "NotRequired[str | None]",
    "lastUsedAt": "NotRequired[str | None]",
    "rotatedAt": "NotRequired[str | None]",
    "revokedAt": "NotRequired[str | None]",
})

ListAgentsReply = TypedDict("ListAgentsReply", {
    "success": "Literal[True]",
    "data": "list[ListAgentsReplyDataItem]",
    "nextCursor": "str | None",
})

ReadAgentReplyDataPreviousKey1 = TypedDict("ReadAgentReplyDataPreviousKey1", {
    "id": "Literal[\"previous\"]",
    "keyPrefix": "str",
    "expiresAt": "str",
})

ReadAgentReplyDataRateLimits = TypedDict("ReadAgentReplyDataRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

ReadAgentReplyDataUsed = TypedDict("ReadAgentReplyDataUsed", {
    "rpm": "int",
    "rpd": "int",
})

ReadAgentReplyDataPolicy1 = TypedDict("ReadAgentReplyDataPolicy1", {
    "revision": "int",
    "paused": "bool",
    "rules": "list[Literal[\"actions\", \"networks\", \"validators\", \"maxPerTx\", \"maxPerWindow\", \"maxShare\", \"minScore\", \"maxCommission\", \"minValidators\", \"hours\", \"senders\", \"recipients\", \"approvalAbove\", \"paused\", \"expires\"]]",
})

ReadAgentReplyData = TypedDict("ReadAgentReplyData", {
    "id": "str",
    "agentName": "str",
    "owner": "str",
    "agentType": "Literal[\"autonomous\", \"assistant\", \"bot\", \"service\", \"other\"]",
    "identityTier": "Literal[\"unverified\", \"email_verified\", \"wallet_verified\", \"user_linked\", \"admin_verified\"]",
    "tier": "Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]",
    "status": "Literal[\"pending_verification\", \"active\", \"revoked\", \"expired\", \"suspended\"]",
    "keyPrefix": "str",
    "previousKey": "ReadAgentReplyDataPreviousKey1 | None",
    "rateLimits": "ReadAgentReplyDataRateLimits",
    "used": "ReadAgentReplyDataUsed",
    "requestsPerDay": "list[int]",
    "policy": "ReadAgentReplyDataPolicy1 | None",
    "permissions": "list[Literal[\"read\"]]",
    "createdAt": "str",
    "verifiedAt": "str | None",
    "lastUsedAt": "str | None",
    "rotatedAt": "str | None",
    "revokedAt": "str | None",
})

ReadAgentReply = TypedDict("ReadAgentReply", {
    "success": "Literal[True]",
    "data": "ReadAgentReplyData",
})

RegisterAgentRateLimits = TypedDict("RegisterAgentRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

RegisterAgentReplyDataRateLimits = TypedDict("RegisterAgentReplyDataRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

RegisterAgentReplyData = TypedDict("RegisterAgentReplyData", {
    "id": "str",
    "apiKey": "str",
    "keyPrefix": "str",
    "tier": "Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]",
    "status": "Literal[\"pending_verification\", \"active\", \"revoked\", \"expired\", \"suspended\"]",
    "rateLimits": "RegisterAgentReplyDataRateLimits",
    "permissions": "list[Literal[\"read\"]]",
    "warning": "str",
})

RegisterAgentReply = TypedDict("RegisterAgentReply", {
    "success": "Literal[True]",
    "data": "RegisterAgentReplyData",
})

UpdateAgentRateLimits = TypedDict("UpdateAgentRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

UpdateAgentReplyDataPreviousKey1 = TypedDict("UpdateAgentReplyDataPreviousKey1", {
    "id": "Literal[\"previous\"]",
    "keyPrefix": "str",
    "expiresAt": "str",
})

UpdateAgentReplyDataRateLimits = TypedDict("UpdateAgentReplyDataRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

UpdateAgentReplyDataUsed = TypedDict("UpdateAgentReplyDataUsed", {
    "rpm": "int",
    "rpd": "int",
})

UpdateAgentReplyDataPolicy1 = TypedDict("UpdateAgentReplyDataPolicy1", {
    "revision": "int",
    "paused": "bool",
    "rules": "list[Literal[\"actions\", \"networks\", \"validators\", \"maxPerTx\", \"maxPerWindow\", \"maxShare\", \"minScore\", \"maxCommission\", \"minValidators\", \"hours\", \"senders\", \"recipients\", \"approvalAbove\", \"paused\", \"expires\"]]",
})

UpdateAgentReplyData = TypedDict("UpdateAgentReplyData", {
    "id": "str",
    "agentName": "str",
    "owner": "str",
    "agentType": "Literal[\"autonomous\", \"assistant\", \"bot\", \"service\", \"other\"]",
    "identityTier": "Literal[\"unverified\", \"email_verified\", \"wallet_verified\", \"user_linked\", \"admin_verified\"]",
    "tier": "Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]",
    "status": "Literal[\"pending_verification\", \"active\", \"revoked\", \"expired\", \"suspended\"]",
    "keyPrefix": "str",
    "previousKey": "UpdateAgentReplyDataPreviousKey1 | None",
    "rateLimits": "UpdateAgentReplyDataRateLimits",
    "used": "UpdateAgentReplyDataUsed",
    "requestsPerDay": "list[int]",
    "policy": "UpdateAgentReplyDataPolicy1 | None",
    "permissions": "list[Literal[\"read\"]]",
    "createdAt": "str",
    "verifiedAt": "str | None",
    "lastUsedAt": "str | None",
    "rotatedAt": "str | None",
    "revokedAt": "str | None",
})

UpdateAgentReply = TypedDict("UpdateAgentReply", {
    "success": "Literal[True]",
    "data": "UpdateAgentReplyData",
})

RotateKeyReplyDataRateLimits = TypedDict("RotateKeyReplyDataRateLimits", {
    "rpm": "int",
    "rpd": "int",
})

RotateKeyReplyData = TypedDict("RotateKeyReplyData", {
    "id": "str",
    "apiKey": "str",
    "keyPrefix": "str",
    "tier": "Literal[\"free\", \"builder\", \"pro\", \"enterprise\"]",
    "status": "Literal[\"pending_verification\", \"active\", \"revoked\", \"expired\", \"suspended\"]",
    "rateLimits": "RotateKeyReplyDataRateLimits",
    "permissions": "list[Literal[\"read\"]]",
    "warning": "str",
    "previousKeyExpiresAt": "str",
})

RotateKeyReply = TypedDict("RotateKeyReply", {
    "success": "Literal[True]",
    "data": "RotateKeyReplyData",
})

RevokeAgentReplyData = TypedDict("RevokeAgentReplyData", {
    "id": "str",
    "status": "Literal[\"revoked\"]",
    "revokedAt": "str",
})

RevokeAgentReply = TypedDict("RevokeAgentReply", {
    "success": "Literal[True]",
    "data": "RevokeAgentReplyData",
})

AgentProfileReplyData = TypedDict("AgentProfileReplyData", {
    "agentName": "str",
    "agentType": "Literal[\"autonomous\", \"assistant\", \"bot\", \"service\", \"other\"]",
    "identityTier": "Literal[\"unverified\", \"email_verified\", \"wallet_verified\", \"user_linked\", \"admin_verified\"]",
    "avgDailyQueries": "float",
    "termShoppingCount": "int",
    "underwritingCount": "int",
    "policyCheckCount": "int",
    "riskAwarenessScore": "float",
    "toolBreakdown": "dict[str, int]",
    "periodDays": "int",
})

AgentProfileReply = TypedDict("AgentProfileReply", {
    "success": "Literal[True]",
    "data": "AgentProfileReplyData",
})

ListKeysReplyDataItem = TypedDict("ListKeysReplyDataItem", {
    "id": "NotRequired[str]",
    "name": "NotRequired[str]",
    "keyPrefix": "NotRequired[str]",
    "scopes": "NotRequired[list[Literal[\"read\", \"build\", \"manage-self\"]]]",
    "allowedNetworks": "NotRequired[list[str]]",
    "status": "NotRequired[Literal[\"active\", \"expired\", \"revoked\"]]",
    "createdAt": "NotRequired[str]",
    "expiresAt": "NotRequired[str | None]",
    "lastUsedAt": "NotRequired[str | None]",
    "revokedAt": "NotRequired[str | None]",
})

ListKeysReply = TypedDict("ListKeysReply", {
    "success": "Literal[True]",
    "data": "list[ListKeysReplyDataItem]",
    "total": "NotRequired[int]",
    "nextCursor": "NotRequired[str | None]",
})

CreateKeyReplyData = TypedDict("CreateKeyReplyData", {
    "id": "str",
    "name": "str",
    "keyPrefix": "str",
    "scopes": "list[Literal[\"read\", \"build\", \"manage-self\"]]",
    "allowedNetworks": "list[str]",
    "status": "Literal[\"active\", \"expired\", \"revoked\"]",
    "createdAt": "str",
    "expiresAt": "str | None",
    "lastUsedAt": "str | None",
    "revokedAt": "str | None",
    "apiKey": "str",
    "warning": "str",
})

CreateKeyReply = TypedDict("CreateKeyReply", {
    "success": "Literal[True]",
    "data": "CreateKeyReplyData",
})

RevokeKeyReplyData = TypedDict("RevokeKeyReplyData", {
    "id": "str",
    "status": "Literal[\"revoked\"]",
    "revokedAt": "str",
})

RevokeKeyReply = TypedDict("RevokeKeyReply", {
    "success": "Literal[True]",
    "data": "RevokeKeyReplyData",
})

RevokeSelfReplyData = TypedDict("RevokeSelfReplyData", {
    "id": "str",
    "status": "Literal[\"revoked\"]",
    "revokedAt": "str",
})

RevokeSelfReply = TypedDict("RevokeSelfReply", {
    "success": "Literal[True]",
    "data": "RevokeSelfReplyData",
})

ReportLeakReplyData = TypedDict("ReportLeakReplyData", {
    "message": "str",
})

ReportLeakReply = TypedDict("ReportLeakReply", {
    "success": "Literal[True]",
    "data": "ReportLeakReplyData",
})

AgentAuditReplyDataItemActor = TypedDict("AgentAuditReplyDataItemActor", {
    "kind": "Literal[\"user\", \"agent\", \"anybody\", \"operator\"]",
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"] | None",
    "session": "str | None",
    "key": "str | None",
})

AgentAuditReplyDataItemKey1Terms1 = TypedDict("AgentAuditReplyDataItemKey1Terms1", {
    "scopes": "list[Literal[\"read\", \"build\", \"manage-self\"]]",
    "allowedNetworks": "list[str]",
    "expiresAt": "str | None",
})

AgentAuditReplyDataItemKey1 = TypedDict("AgentAuditReplyDataItemKey1", {
    "id": "str | None",
    "prefix": "str",
    "terms": "AgentAuditReplyDataItemKey1Terms1 | None",
})

AgentAuditReplyDataItemLimits1Before1 = TypedDict("AgentAuditReplyDataItemLimits1Before1", {
    "rpm": "int",
    "rpd": "int",
})

AgentAuditReplyDataItemLimits1After = TypedDict("AgentAuditReplyDataItemLimits1After", {
    "rpm": "int",
    "rpd": "int",
})

AgentAuditReplyDataItemLimits1 = TypedDict("AgentAuditReplyDataItemLimits1", {
    "before": "AgentAuditReplyDataItemLimits1Before1 | None",
    "after": "AgentAuditReplyDataItemLimits1After",
})

AgentAuditReplyDataItemPolicy1 = TypedDict("AgentAuditReplyDataItemPolicy1", {
    "revision": "int",
    "change": "Literal[\"paused\", \"resumed\"] | None",
})

AgentAuditReplyDataItemBuild1Refusal1BrokenItem = TypedDict("AgentAuditReplyDataItemBuild1Refusal1BrokenItem", {
    "rule": "str",
    "limit": "str",
    "actual": "str",
    "clearsAt": "str | None",
})

AgentAuditReplyDataItemBuild1Refusal1 = TypedDict("AgentAuditReplyDataItemBuild1Refusal1", {
    "code": "Literal[\"invalid_input\", \"unauthorized\", \"forbidden\", \"not_found\", \"rate_limited\", \"internal_error\", \"service_overloaded\", \"store_not_ready\", \"rpc_unavailable\", \"timeout\"]",
    "message": "str",
    "broken": "list[AgentAuditReplyDataItemBuild1Refusal1BrokenItem]",
})

AgentAuditReplyDataItemBuild1 = TypedDict("AgentAuditReplyDataItemBuild1", {
    "amount": "str | None",
    "refusal": "AgentAuditReplyDataItemBuild1Refusal1 | None",
})

AgentAuditReplyDataItem = TypedDict("AgentAuditReplyDataItem", {
    "at": "NotRequired[str]",
    "endpoint": "NotRequired[str]",
    "method": "NotRequired[str | None]",
    "status": "NotRequired[int | None]",
    "latencyMs": "NotRequired[float | None]",
    "ip": "NotRequired[str]",
    "actor": "NotRequired[AgentAuditReplyDataItemActor]",
    "action": "NotRequired[Literal[\"register\", \"self-register\", \"activate\", \"create-sandbox-key\", \"replace\", \"rotate\", \"revoke\", \"suspend\", \"resume\", \"set-limits\", \"revoke-self\", \"report-leak\", \"create-key\", \"revoke-key\", \"set-policy\", \"approve-transaction\", \"refuse-transaction\", \"release-reservation\", \"sign-in\", \"issue-token\", \"end-session\", \"begin-totp\", \"enrol-totp\", \"remove-totp\", \"reset-totp\", \"renew-recovery-codes\", \"use-recovery-code\", \"refuse-totp\"] | None]",
    "target": "NotRequired[str | None]",
    "key": "NotRequired[AgentAuditReplyDataItemKey1 | None]",
    "session": "NotRequired[str | None]",
    "limits": "NotRequired[AgentAuditReplyDataItemLimits1 | None]",
    "policy": "NotRequired[AgentAuditReplyDataItemPolicy1 | None]",
    "build": "NotRequired[AgentAuditReplyDataItemBuild1 | None]",
    "approvalId": "NotRequired[str | None]",
    "via": "NotRequired[Literal[\"rest\", \"mcp\", \"cli\"]]",
})

AgentAuditReply = TypedDict("AgentAuditReply", {
    "success": "Literal[True]",
    "data": "list[AgentAuditReplyDataItem]",
    "nextCursor": "str | None",
    "symbol": "str",
    "decimals": "int",
})

ListActionsReplyDataItemActor = TypedDict("ListActionsReplyDataItemActor", {
    "kind": "Literal[\"user\", \"agent\", \"anybody\", \"operator\"]",
    "id": "str | None",
    "role": "Literal[\"user\", \"admin\"] | None",
    "session": "str | None",
    "key": "str | None",
})

ListActionsReplyDataItemKey1Terms1 = TypedDict("ListActionsReplyDataItemKey1Terms1", {
    "scopes": "list[Literal[\"read\", \"build\", \"manage-self\"]]",
    "allowedNetworks": "list[str]",
    "expiresAt": "str | None",
})

ListActionsReplyDataItemKey1 = TypedDict("ListActionsReplyDataItemKey1", {
    "id": "str | None",
    "prefix": "str",
    "terms": "ListActionsReplyDataItemKey1Terms1 | None",
})

ListActionsReplyDataItemLimits1Before1 = TypedDict("ListActionsReplyDataItemLimits1Before1", {
    "rpm": "int",
    "rpd": "int",
})

ListActionsReplyDataItemLimits1After = TypedDict("ListActionsReplyDataItemLimits1After", {
    "rpm": "int",
    "rpd": "int",
})

ListActionsReplyDataItemLimits1 = TypedDict("ListActionsReplyDataItemLimits1", {
    "before": "ListActionsReplyDataItemLimits1Before1 | None",
    "after": "ListActionsReplyDataItemLimits1After",
})

ListActionsReplyDataItemPolicy1 = TypedDict("ListActionsReplyDataItemPolicy1", {
    "revision": "int",
    "change": "Literal[\"paused\", \"resumed\"] | None",
})

ListActionsReplyDataItemBuild1Refusal1BrokenItem = TypedDict("ListActionsReplyDataItemBuild1Refusal1BrokenItem", {
    "rule": "str",
    "limit": "str",
    "actual": "str",
    "clearsAt": "str | None",
})

ListActionsReplyDataItemBuild1Refusal1 = TypedDict("ListActionsReplyDataItemBuild1Refusal1", {
    "code": "Literal[\"invalid_input\", \"unauthorized\", \"forbidden\", \"not_found\", \"rate_limited\", \"internal_error\", \"service_overloaded\", \"store_not_ready\", \"rpc_unavailable\", \"timeout\"]",
    "message": "str",
    "broken": "list[ListActionsReplyDataItemBuild1Refusal1BrokenItem]",
})

ListActionsReplyDataItemBuild1 = TypedDict("ListActionsReplyDataItemBuild1", {
    "amount": "str | None",
    "refusal": "ListActionsReplyDataItemBuild1Refusal1 | None",
})

ListActionsReplyDataItem = TypedDict("ListActionsReplyDataItem", {
    "at": "NotRequired[str]",
    "endpoint": "NotRequired[str]",
    "method": "NotRequired[str | None]",
    "status": "NotRequired[int | None]",
    "latencyMs": "NotRequired[float | None]",
    "ip": "NotRequired[str]",
    "actor": "NotRequired[ListActionsReplyDataItemActor]",
    "action": "NotRequired[Literal[\"register\", \"self-register\", \"activate\", \"create-sandbox-key\", \"replace\", \"rotate\", \"revoke\", \"suspend\", \"resume\", \"set-limits\", \"revoke-self\", \"report-leak\", \"create-key\", \"revoke-key\", \"set-policy\", \"approve-transaction\", \"refuse-transaction\", \"release-reservation\", \"sign-in\", \"issue-token\", \"end-session\", \"begin-totp\", \"enrol-totp\", \"remove-totp\", \"reset-totp\", \"renew-recovery-codes\", \"use-recovery-code\", \"refuse-totp\"] | None]",
    "target": "NotRequired[str | None]",
    "key": "NotRequired[ListActionsReplyDataItemKey1 | None]",
    "session": "NotRequired[str | None]",
    "limits": "NotRequired[ListActionsReplyDataItemLimits1 | None]",
    "policy": "NotRequired[ListActionsReplyDataItemPolicy1 | None]",
    "build": "NotRequired[ListActionsReplyDataItemBuild1 | None]",
    "approvalId": "NotRequired[str | None]",
    "via": "NotRequired[Literal[\"rest\", \"mcp\", \"cli\"]]",
})

ListActionsReply = TypedDict("ListActionsReply", {
    "success": "Literal[True]",
    "data": "list[ListActionsReplyDataItem]",
    "nextCursor": "str | None",
    "symbol": "str",
    "decimals": "int",
})

ServiceStatusReplyDataStore = TypedDict("ServiceStatusReplyDataStore", {
    "kind": "Literal[\"sqlite\", \"postgres\"]",
    "isWritable": "bool",
})

ServiceStatusReplyDataNodesItem = TypedDict("ServiceStatusReplyDataNodesItem", {
    "host": "str",
    "isReady": "bool",
    "failures": "int",
    "retryInSeconds": "float",
})

ServiceStatusReplyData = TypedDict("ServiceStatusReplyData", {
    "version": "str",
    "network": "str | None",
    "epoch": "int | None",
    "dataAgeSeconds": "float | None",
    "store": "ServiceStatusReplyDataStore",
    "counters": "Literal[\"memory\", \"postgres\", \"redis\"]",
    "storeRisks": "list[str]",
    "isLeader": "bool",
    "nodes": "list[ServiceStatusReplyDataNodesItem]",
    "auditSignedAt": "str | None",
})

ServiceStatusReply = TypedDict("ServiceStatusReply", {
    "success": "Literal[True]",
    "data": "ServiceStatusReplyData",
})

VerifyAuditReplyData = TypedDict("VerifyAuditReplyData", {
    "isIntact": "bool",
    "batches": "int | None",
    "checkpoints": "int | None",
    "from": "str | None",
    "to": "str | None",
    "brokenAt": "int | None",
    "reason": "str | None",
    "checkedAt": "str",
})

VerifyAuditReply = TypedDict("VerifyAuditReply", {
    "success": "Literal[True]",
    "data": "VerifyAuditReplyData",
})

RequestCodeReplyData = TypedDict("RequestCodeReplyData", {
    "message": "str",
})

RequestCodeReply = TypedDict("RequestCodeReply", {
    "success": "Literal[True]",
    "data": "RequestCodeReplyData",
})

ExchangeCodeReplyData = TypedDict("ExchangeCodeReplyData", {
    "accessToken": "str",
    "tokenType": "Literal[\"Bearer\"]",
    "expiresIn": "int",
})

ExchangeCodeReply = TypedDict("ExchangeCodeReply", {
    "success": "Literal[True]",
    "data": "ExchangeCodeReplyData",
})

ListSessionsReplyDataItem = TypedDict("ListSessionsReplyDataItem", {
    "id": "NotRequired[str]",
    "isCurrent": "NotRequired[bool]",
    "issuedBy": "NotRequired[Literal[\"sign-in\", \"operator\"]]",
    "ip": "NotRequired[str]",
    "createdAt": "NotRequired[str]",
    "expiresAt": "NotRequired[str]",
})

ListSessionsReply = TypedDict("ListSessionsReply", {
    "success": "Literal[True]",
    "data": "list[ListSessionsReplyDataItem]",
    "total": "NotRequired[int]",
    "nextCursor": "NotRequired[str | None]",
})

EndSessionReplyData = TypedDict("EndSessionReplyData", {
    "id": "str",
    "status": "Literal[\"ended\"]",
})

EndSessionReply = TypedDict("EndSessionReply", {
    "success": "Literal[True]",
    "data": "EndSessionReplyData",
})

TotpStateReplyData = TypedDict("TotpStateReplyData", {
    "isEnrolled": "bool",
    "isRequired": "bool",
    "enrolledAt": "str | None",
    "recoveryCodesLeft": "int",
})

TotpStateReply = TypedDict("TotpStateReply", {
    "success": "Literal[True]",
    "data": "TotpStateReplyData",
})

EnrolTotpReplyData = TypedDict("EnrolTotpReplyData", {
    "secret": "str",
    "uri": "str",
    "expiresAt": "str",
})

EnrolTotpReply = TypedDict("EnrolTotpReply", {
    "success": "Literal[True]",
    "data": "EnrolTotpReplyData",
})

ConfirmTotpReplyData = TypedDict("ConfirmTotpReplyData", {
    "recoveryCodes": "list[str]",
    "warning": "str",
})

ConfirmTotpReply = TypedDict("ConfirmTotpReply", {
    "success": "Literal[True]",
    "data": "ConfirmTotpReplyData",
})

RenewRecoveryCodesReplyData = TypedDict("RenewRecoveryCodesReplyData", {
    "recoveryCodes": "list[str]",
    "warning": "str",
})

RenewRecoveryCodesReply = TypedDict("RenewRecoveryCodesReply", {
    "success": "Literal[True]",
    "data": "RenewRecoveryCodesReplyData",
})

RemoveTotpReplyData = TypedDict("RemoveTotpReplyData", {
    "status": "Literal[\"removed\"]",
})

RemoveTotpReply = TypedDict("RemoveTotpReply", {
    "success": "Literal[True]",
    "data": "RemoveTotpReplyData",
})

class _Route(NamedTuple):
    method: str
    path: str
    auth: str
    #: Whether the call may be repeated if it may have been executed; named: only with an Idempotency-Key.
    repeats: Literal["always", "named", "never"]


_ROUTES: dict[str, _Route] = {
    "validators": _Route("GET", "/api/v1/staking/validators", "none", "always"),
    "validator": _Route("GET", "/api/v1/staking/validators/{id}", "none", "always"),
    "validator_apy_history": _Route("GET", "/api/v1/staking/validators/{id}/apy-history", "none", "always"),
    "validator_commission_history": _Route("GET", "/api/v1/staking/validators/{id}/commission-history", "none", "always"),
    "apy_history": _Route("GET", "/api/v1/staking/apy-history", "none", "always"),
    "epoch": _Route("GET", "/api/v1/staking/epoch", "none", "always"),
    "price": _Route("GET", "/api/v1/staking/price", "none", "always"),
    "scoring": _Route("GET", "/api/v1/staking/scoring", "none", "always"),
    "health": _Route("GET", "/api/v1/staking/health", "none", "always"),
    "accuracy": _Route("GET", "/api/v1/staking/accuracy", "none", "always"),
    "network": _Route("GET", "/api/v1/staking/network", "none", "always"),
    "validator_histories": _Route("GET", "/api/v1/staking/validator-histories", "none", "always"),
    "metadata": _Route("GET", "/api/v1/staking/agent/metadata", "agent-key", "always"),
    "usage": _Route("GET", "/api/v1/staking/agent/usage", "agent-key", "always"),
    "scored_validators": _Route("GET", "/api/v1/staking/agent/validators/scored", "agent-key", "always"),
    "allocate": _Route("POST", "/api/v1/staking/agent/allocate", "agent-key", "always"),
    "plan_rebalance": _Route("POST", "/api/v1/staking/agent/rebalance-plan", "agent-key", "always"),
    "backtest": _Route("POST", "/api/v1/staking/agent/backtest", "agent-key", "always"),
    "positions": _Route("GET", "/api/v1/staking/agent/positions", "agent-key", "always"),
    "rewards": _Route("GET", "/api/v1/staking/agent/rewards", "agent-key", "always"),
    "delegators": _Route("GET", "/api/v1/staking/agent/delegators/{validatorId}", "agent-key", "always"),
    "build_stake": _Route("POST", "/api/v1/staking/agent/tx/stake", "agent-key", "named"),
    "build_unstake": _Route("POST", "/api/v1/staking/agent/tx/unstake", "agent-key", "named"),
    "build_withdraw": _Route("POST", "/api/v1/staking/agent/tx/withdraw", "agent-key", "named"),
    "build_join": _Route("POST", "/api/v1/staking/agent/tx/join", "agent-key", "named"),
    "build_batch": _Route("POST", "/api/v1/staking/agent/tx/batch", "agent-key", "named"),
    "read_policy": _Route("GET", "/api/v1/agents/{id}/policy", "user-token", "always"),
    "write_policy": _Route("PUT", "/api/v1/agents/{id}/policy", "user-token", "never"),
    "policy_revisions": _Route("GET", "/api/v1/agents/{id}/policy/revisions", "user-token", "always"),
    "own_policy": _Route("GET", "/api/v1/staking/agent/policy", "agent-key", "always"),
    "release_reservation": _Route("POST", "/api/v1/staking/agent/tx/release", "agent-key", "always"),
    "simulate_policy": _Route("POST", "/api/v1/staking/agent/policy/simulate", "agent-key", "always"),
    "list_approvals": _Route("GET", "/api/v1/agents/{id}/approvals", "user-token", "always"),
    "waiting_approvals": _Route("GET", "/api/v1/approvals", "user-token", "always"),
    "read_approval": _Route("GET", "/api/v1/agents/{id}/approvals/{approvalId}", "user-token", "always"),
    "decide_approval": _Route("POST", "/api/v1/agents/{id}/approvals/{approvalId}", "user-token", "always"),
    "list_reservations": _Route("GET", "/api/v1/agents/{id}/reservations", "user-token", "always"),
    "cancel_reservation": _Route("DELETE", "/api/v1/agents/{id}/reservations/{reservationId}", "user-token", "always"),
    "intent_keys": _Route("GET", "/.well-known/stakewright-keys.json", "none", "always"),
    "sandbox_key": _Route("POST", "/api/v1/sandbox/keys", "none", "never"),
    "sandbox_execute": _Route("POST", "/api/v1/sandbox/execute", "agent-key", "never"),
    "sandbox_advance": _Route("POST", "/api/v1/sandbox/advance", "agent-key", "never"),
    "self_register": _Route("POST", "/api/v1/agents/self-register", "none", "never"),
    "wallet_challenge": _Route("POST", "/api/v1/agents/challenge", "none", "never"),
    "verify_email": _Route("GET", "/api/v1/agents/verify", "none", "always"),
    "resend_verification": _Route("POST", "/api/v1/agents/verify/resend", "none", "never"),
    "list_agents": _Route("GET", "/api/v1/agents", "user-token", "always"),
    "read_agent": _Route("GET", "/api/v1/agents/{id}", "user-token", "always"),
    "register_agent": _Route("POST", "/api/v1/agents/register", "user-token", "never"),
    "update_agent": _Route("PATCH", "/api/v1/agents/{id}", "user-token", "never"),
    "rotate_key": _Route("POST", "/api/v1/agents/{id}/rotate", "user-token", "never"),
    "revoke_agent": _Route("DELETE", "/api/v1/agents/{id}", "user-token", "always"),
    "agent_profile": _Route("GET", "/api/v1/agents/{id}/profile", "user-token", "always"),
    "list_keys": _Route("GET", "/api/v1/agents/{id}/keys", "user-token", "always"),
    "create_key": _Route("POST", "/api/v1/agents/{id}/keys", "user-token", "never"),
    "revoke_key": _Route("DELETE", "/api/v1/agents/{id}/keys/{keyId}", "user-token", "always"),
    "revoke_self": _Route("DELETE", "/api/v1/agents/self", "agent-key", "never"),
    "report_leak": _Route("POST", "/api/v1/agents/report-leak", "none", "always"),
    "agent_audit": _Route("GET", "/api/v1/agents/{id}/audit", "user-token", "always"),
    "list_actions": _Route("GET", "/api/v1/audit", "user-token", "always"),
    "service_status": _Route("GET", "/api/v1/service", "user-token", "always"),
    "verify_audit": _Route("POST", "/api/v1/audit/verify", "user-token", "always"),
    "request_code": _Route("POST", "/api/v1/auth/code", "none", "never"),
    "exchange_code": _Route("POST", "/api/v1/auth/token", "none", "never"),
    "list_sessions": _Route("GET", "/api/v1/auth/sessions", "user-token", "always"),
    "end_session": _Route("DELETE", "/api/v1/auth/sessions/{id}", "user-token", "never"),
    "totp_state": _Route("GET", "/api/v1/auth/totp", "user-token", "always"),
    "enrol_totp": _Route("POST", "/api/v1/auth/totp", "user-token", "never"),
    "confirm_totp": _Route("POST", "/api/v1/auth/totp/verify", "user-token", "never"),
    "renew_recovery_codes": _Route("POST", "/api/v1/auth/totp/recovery-codes", "user-token", "never"),
    "remove_totp": _Route("POST", "/api/v1/auth/totp/remove", "user-token", "never"),
}


class StakewrightError(Exception):
    """A refusal of the service, or ``unreachable`` when there was no answer at all; then __cause__ says why."""

    def __init__(self, code: str, message: str, answer: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        answer = answer or {}
        self.code = code
        self.message = message
        self.status: int | None = answer.get("status")
        self.request_id: str | None = answer.get("requestId")
        self.details: list[dict[str, Any]] = answer.get("details", [])
        #: How long to wait before trying again, where the service said so.
        self.retry_after_seconds: int | None = answer.get("retryAfterSeconds")
        #: What to do about it, where the service said so.
        self.fix: str | None = answer.get("fix")
        #: The call that leads on, where the service named one.
        self.next: dict[str, Any] | None = answer.get("next")
        #: Whether the same call may be sent again: the service says that it had no effect, or a repeat is safe.
        self.retryable: bool = answer.get("retryable", False)


class NotModified(StakewrightError):
    """The answer that the caller named by its ``hash`` is still the present one: there is nothing new to read."""

    def __init__(self) -> None:
        message = "Nothing has changed since the answer that `hash` names."
        super().__init__("not_modified", message, {"status": 304})


class ApprovalNeeded(StakewrightError):
    """Nothing was built: the agent's owner must approve first. Then repeat the same call with ``approval_id``."""

    def __init__(self, waiting: dict[str, Any]) -> None:
        self.approval_id: str = waiting["approvalId"]
        self.expires_at: str = waiting["expiresAt"]
        super().__init__("approval_needed", waiting["message"], {**waiting, "status": 202})


@dataclass(frozen=True)
class RateLimit:
    """The rate-limit headers of an answer to a call with a credential."""

    #: The smaller of the two remainders.
    remaining: int
    remaining_minute: int
    remaining_day: int
    limit_minute: int
    limit_day: int
    #: When the minute window resets.
    reset_at: datetime


@dataclass(frozen=True)
class Answer:
    """An answer without its body."""

    #: The method that was called.
    endpoint: str
    status: int
    request_id: str | None
    rate_limit: RateLimit | None
    headers: Message


_TRANSIENT = (429, 502, 503, 504)
_BASE_SECONDS = 0.25
_KEPT_ANSWERS = 100
_CHUNK_BYTES = 65_536
_MAX_SECONDS = 1_000_000


class _Options(NamedTuple):
    """Options of a single call; None means the client's setting."""

    timeout: float | None = None
    retries: int | None = None
    #: Called with every answer before the call returns: also for each retry, and for refusals.
    on_answer: Callable[[Answer], None] | None = None
    #: Identifies a registration, rotation or build, so that a repeat has no effect.
    idempotency_key: str | None = None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Calls:
    """Sends requests and reads answers: the base class of Stakewright."""

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:3000",
        *,
        api_key: str | None = None,
        token: str | None = None,
        timeout: float = 15.0,
        retries: int = 2,
        max_retry_wait: float = 5.0,
        on_answer: Callable[[Answer], None] | None = None,
        random: Callable[[], float] = random.random,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError("base_url must be an http or https address, such as http://127.0.0.1:3000")
        if "@" in urllib.parse.urlsplit(base_url).netloc:
            raise ValueError("base_url must not contain credentials")
        self._base = base_url.rstrip("/")
        self._api_key = _credential("api_key", api_key)
        self._token = _credential("token", token)
        self._timeout = _seconds(timeout)
        self._retries = _count(retries)
        self._max_retry_wait = max_retry_wait
        self._on_answer = on_answer
        self._random = random
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirects())
        #: A cache of public answers with an ETag, by path: unchanged ones cost a 304 and are read from it.
        self._kept: dict[str, tuple[str, bytes]] = {}

    def __repr__(self) -> str:
        """Shows the address, but no secrets."""
        return f"Stakewright({self._base!r})"

    def _call(self, name: str, given: dict[str, Any], options: _Options = _Options()) -> Any:
        retries = self._retries if options.retries is None else _count(options.retries)
        attempt = 0
        while True:
            try:
                return self._send(name, given, options)
            except StakewrightError as error:
                delay = None if attempt >= retries else self._retry_delay(error, attempt)
                if delay is None:
                    raise
            self._sleep(delay)
            attempt += 1

    def _retry_delay(self, error: StakewrightError, attempt: int) -> float | None:
        """The wait before a retry; None: the call must not be retried, or not that soon."""
        if not error.retryable:
            return None
        said = error.retry_after_seconds
        if said is not None:
            if said > self._max_retry_wait:
                return None
            return min(self._max_retry_wait, said + self._random() * _BASE_SECONDS)
        return min(self._max_retry_wait, _BASE_SECONDS * 2**attempt) * (0.5 + self._random() / 2)

    def _send(self, name: str, given: dict[str, Any], options: _Options) -> Any:
        route = _ROUTES[name]
        is_named = options.idempotency_key is not None
        #: Whether a repeat is safe even if the call may have been executed.
        is_safe = route.repeats == "always" or (route.repeats == "named" and is_named)
        request = self._request(route, {field: value for field, value in given.items() if value is not None})
        # If the caller names a version by `hash`, a 304 must be about that version, not about a cached one.
        known = self._kept.get(request.selector) if given.get("hash") is None else None
        if known and route.method == "GET":
            request.add_header("If-None-Match", known[0])
        if options.idempotency_key is not None:
            request.add_header("Idempotency-Key", _header("idempotency_key", options.idempotency_key))
        timeout = self._timeout if options.timeout is None else _seconds(options.timeout)
        status, headers, text = self._exchange(request, timeout, is_safe)
        said = Answer(name, status, headers.get("X-Request-Id"), _rate_limit(headers), headers)
        for listener in (self._on_answer, options.on_answer):
            if listener:
                listener(said)
        if status == 304 and known:
            return json.loads(known[1])
        if status == 304:
            raise NotModified()
        if status >= 300:
            raise _to_error(status, headers, text, is_safe)
        answer = _read_json(status, text)
        if headers.get("ETag") and route.method == "GET" and route.auth == "none":
            self._keep(request.selector, headers["ETag"], text)
        if status == 202 and isinstance(answer, dict) and "approvalId" in answer:
            raise ApprovalNeeded(answer)
        return answer

    def _exchange(self, request: urllib.request.Request, timeout: float, is_safe: bool) -> tuple[int, Message, bytes]:
        """One request and its whole answer, whatever its status."""
        deadline = time.monotonic() + timeout
        try:
            try:
                response = self._opener.open(request, timeout=timeout)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                return response.status, response.headers, _read(response, deadline)
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            why = f"none came within {timeout:g} s" if isinstance(reason, TimeoutError) else reason or repr(error)
            message = f"No answer from {self._base}: {why}."
            raise StakewrightError("unreachable", message, {"retryable": is_safe}) from error

    def _keep(self, path: str, etag: str, text: bytes) -> None:
        self._kept.pop(path, None)
        self._kept[path] = (etag, text)
        if len(self._kept) > _KEPT_ANSWERS:
            del self._kept[next(iter(self._kept))]

    def _request(self, route: _Route, given: dict[str, Any]) -> urllib.request.Request:
        path = route.path
        for field in re.findall(r"\{(\w+)\}", path):
            if given.get(field) is None:
                raise ValueError(f"{field} is missing: pass what the call is about")
            value = urllib.parse.quote(str(given.pop(field)), safe="")
            # `..` would remove the path segment before it where a proxy resolves it, so the request would reach another path.
            path = path.replace("{" + field + "}", "" if value in (".", "..") else value)
        body = None
        headers = {"Accept": "application/json"}
        if route.method in ("POST", "PATCH", "PUT"):
            # Sent even without fields, so that the service can say which one is missing.
            body = _body(given)
            headers["Content-Type"] = "application/json"
        elif given:
            path += "?" + urllib.parse.urlencode({field: _query_text(value) for field, value in given.items()})
        if route.auth == "agent-key" and self._api_key:
            headers["X-API-Key"] = self._api_key
        if route.auth == "user-token" and self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        return urllib.request.Request(self._base + path, data=body, headers=headers, method=route.method)


def _body(given: dict[str, Any]) -> bytes:
    """Encodes as JSON. Refuses values that JSON cannot represent (NaN, infinity, dates, decimals) and names their field."""
    for field, value in given.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as cause:
            raise ValueError(f"{field} cannot be sent as JSON: {cause}. Amounts are strings of digits.") from cause
    return json.dumps(given).encode()


def _seconds(timeout: float) -> float:
    if not 0 < timeout <= _MAX_SECONDS:
        raise ValueError(f"timeout must be more than 0 seconds, and at most {_MAX_SECONDS}")
    return timeout


def _count(retries: int) -> int:
    if not retries >= 0:
        raise ValueError("retries must be a number from 0 on")
    return retries


def _credential(name: str, text: str | None) -> str | None:
    """Strips spaces, which come with copying. Refuses characters invalid in headers: urllib would quote the secret."""
    if text is None:
        return None
    secret = text.strip() if isinstance(text, str) else text
    return _header(name, secret) if secret != "" else None


def _header(name: str, text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str")
    if not re.fullmatch(r"[!-~]+", text):
        raise ValueError(
            f"{name} has invalid characters, such as a space or a line break inside: copy it again, whole and alone."
        )
    return text


def _read(response: Any, deadline: float) -> bytes:
    """Enforces the deadline of the whole answer: the timeout of a socket applies to each read alone."""
    chunks = []
    while chunk := response.read1(_CHUNK_BYTES):
        chunks.append(chunk)
        if time.monotonic() > deadline:
            raise TimeoutError()
    text = b"".join(chunks)
    missing = getattr(response, "length", None)
    if missing:
        raise http.client.IncompleteRead(text, missing)
    return text


def _read_json(status: int, text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        message = f"The answer had status {status} and is not JSON: is this address Stakewright's?"
        raise StakewrightError("internal_error", message, {"status": status}) from error


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


_BY_STATUS = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    408: "timeout",
    429: "rate_limited",
    503: "service_overloaded",
    504: "timeout",
}
"""Error codes of answers without an error body of the service."""


def _to_error(status: int, headers: Any, text: bytes, is_safe: bool) -> StakewrightError:
    """Translates an error answer. One without the service's error body comes from a proxy: only its status is known. It is
    retryable if the service says so, if it is a 429 (refused before anything is done), or if it is another transient error
    and a repeat is safe."""
    if status in (301, 302, 303, 307, 308):
        message = f"The address redirects to {headers.get('Location', 'another one')}, which is not followed."
        fix = "Give the address of the service itself as the base URL."
        return StakewrightError("unreachable", message, {"status": status, "fix": fix, "retryable": False})
    after = _retry_after(headers)
    waiting = {} if after is None else {"retryAfterSeconds": after}
    may_pass = status == 429 or (is_safe and status in _TRANSIENT)
    try:
        body = json.loads(text)
        retryable = body.get("retryable") is True or may_pass
        return StakewrightError(body["error"], body["message"], {**waiting, **body, "retryable": retryable})
    except (ValueError, KeyError, TypeError, AttributeError):
        message = f"The answer had status {status} and no error body."
        answer = {"status": status, **waiting, "retryable": may_pass}
        return StakewrightError(_BY_STATUS.get(status, "internal_error"), message, answer)


def _retry_after(headers: Any) -> int | None:
    """The header in seconds. Proxies may send a date instead."""
    text = headers.get("Retry-After", "")
    if re.fullmatch(r"[0-9]+", text):
        return int(text)
    try:
        seconds = (parsedate_to_datetime(text) - parsedate_to_datetime(headers.get("Date", ""))).total_seconds()
    except (ValueError, TypeError):
        return None
    return max(0, math.ceil(seconds))


def _rate_limit(headers: Any) -> RateLimit | None:
    if headers.get("X-RateLimit-Remaining") is None:
        return None
    number = lambda name: int(headers.get(name, 0))  # noqa: E731
    return RateLimit(
        remaining=number("X-RateLimit-Remaining"),
        remaining_minute=number("X-RateLimit-Remaining-RPM"),
        remaining_day=number("X-RateLimit-Remaining-RPD"),
        limit_minute=number("X-RateLimit-Limit-RPM"),
        limit_day=number("X-RateLimit-Limit-RPD"),
        reset_at=datetime.fromtimestamp(number("X-RateLimit-Reset"), timezone.utc),
    )


class Stakewright(_Calls):
    """A client of one service: a method for each of its endpoints."""

    def validators(self, *, hash: str | None = None, search: str | None = None, min_score: float | None = None, max_commission: float | None = None, status: Literal["candidate", "pending", "active", "leaving", "inactive"] | None = None, limit: int | None = None, cursor: str | None = None, sort: Literal["id", "name", "score", "apy", "uptime", "commissionRate", "totalStake", "pendingStake", "nextStake", "votingPower", "shards", "nextShards", "reportedBy", "atRiskEpochs", "withdrawingStake"] | None = None, order: Literal["asc", "desc"] | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ValidatorsReply:
        """The whole validator set.

        Every validator with its stake, commission, APY, uptime and score. `hash` names the version of the data: send it back as `hash` to learn whether anything changed. Without parameters the whole list; with them a part, such as `sort` score, `limit` 5, `view` compact.
        """
        return self._call("validators", {"hash": hash, "search": search, "minScore": min_score, "maxCommission": max_commission, "status": status, "limit": limit, "cursor": cursor, "sort": sort, "order": order, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def validator(self, *, id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ValidatorReply:
        """One validator.

        One validator with its pending stake and announced commission.
        """
        return self._call("validator", {"id": id}, _Options(timeout, retries, on_answer))

    def validator_apy_history(self, *, id: str, period: Literal["7d", "30d", "90d", "1y", "all"] | None = None, interval: Literal["epoch", "day", "week"] | None = None, limit: int | None = None, offset: int | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ValidatorApyHistoryReply:
        """APY history of a validator.

        What the stakers of a validator earned in completed epochs, net of commission.
        """
        return self._call("validator_apy_history", {"id": id, "period": period, "interval": interval, "limit": limit, "offset": offset, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def validator_commission_history(self, *, id: str, limit: int | None = None, cursor: str | None = None, sort: Literal["epoch"] | None = None, order: Literal["asc", "desc"] | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ValidatorCommissionHistoryReply:
        """Commission history of a validator.

        Every change of a validator’s commission, ascending. The chains keep no history of it: an epoch that was not read has the next rate that was read.
        """
        return self._call("validator_commission_history", {"id": id, "limit": limit, "cursor": cursor, "sort": sort, "order": order, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def apy_history(self, *, period: Literal["7d", "30d", "90d", "1y", "all"] | None = None, interval: Literal["epoch", "day", "week"] | None = None, limit: int | None = None, offset: int | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ApyHistoryReply:
        """APY history of the network.

        The APY of all pools in completed epochs, weighted by stake, net of commission; stake of validators that left earns nothing.
        """
        return self._call("apy_history", {"period": period, "interval": interval, "limit": limit, "offset": offset, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def epoch(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> EpochReply:
        """The present epoch.

        When the present epoch started, when it is due to end, and how far it is.
        """
        return self._call("epoch", {}, _Options(timeout, retries, on_answer))

    def price(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> PriceReply:
        """Price of the token.

        The last known price of the token. `stale`: its source has not answered lately.
        """
        return self._call("price", {}, _Options(timeout, retries, on_answer))

    def scoring(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ScoringReply:
        """How validators are scored.

        Weights, gates, windows and every constant of the score, as the code uses them, with the formulas and a worked example.
        """
        return self._call("scoring", {}, _Options(timeout, retries, on_answer))

    def health(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> HealthReply:
        """Health of the service.

        Whether the service works, and how old its data are. Refuses with `store_not_ready` or `rpc_unavailable` while it is not ready.
        """
        return self._call("health", {}, _Options(timeout, retries, on_answer))

    def accuracy(self, *, horizon: Literal["1", "7", "30"] | None = None, network: str | None = None, engine_version: str | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> AccuracyReply:
        """Accuracy of earlier projections.

        How well projections matched: the first one of every epoch and validator is compared with the actual rewards once its epochs are over. The last 120 epochs.
        """
        return self._call("accuracy", {"horizon": horizon, "network": network, "engineVersion": engine_version, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def network(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> NetworkReply:
        """The network as a whole.

        Token, total stake, rewards and how they are shared, and the stake that a validator needs.
        """
        return self._call("network", {}, _Options(timeout, retries, on_answer))

    def validator_histories(self, *, epochs: int | None = None, limit: int | None = None, cursor: str | None = None, sort: Literal["id"] | None = None, order: Literal["asc", "desc"] | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ValidatorHistoriesReply:
        """Histories of all validators.

        APY, commission and performance of every validator in the last completed epochs, in one answer.
        """
        return self._call("validator_histories", {"epochs": epochs, "limit": limit, "cursor": cursor, "sort": sort, "order": order, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def metadata(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> MetadataReply:
        """Constants of the network.

        Token, units, minimum stake, epoch length and the ids that transactions refer to.
        """
        return self._call("metadata", {}, _Options(timeout, retries, on_answer))

    def usage(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> UsageReply:
        """Limits and usage of your key.

        Limits of your key, what is used of them, and when they reset. This call counts.
        """
        return self._call("usage", {}, _Options(timeout, retries, on_answer))

    def scored_validators(self, *, validators: str | None = None, search: str | None = None, min_score: float | None = None, max_commission: float | None = None, limit: int | None = None, cursor: str | None = None, sort: Literal["score", "apy", "uptime", "commissionRate", "totalStake", "name", "validatorId"] | None = None, order: Literal["asc", "desc"] | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ScoredValidatorsReply:
        """Validators by score.

        The best validators by score: 10 for free keys, 25 for builder keys, all for pro and enterprise. With `validators` exactly those, whatever the tier.
        """
        return self._call("scored_validators", {"validators": validators, "search": search, "minScore": min_score, "maxCommission": max_commission, "limit": limit, "cursor": cursor, "sort": sort, "order": order, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def allocate(self, *, amount: str, max_validators: int | None = None, existing: list[AllocateExistingItem] | None = None, owner: str | None = None, risk_aversion: float | None = None, max_share: float | None = None, exclude: list[str] | None = None, min_score: float | None = None, max_commission: float | None = None, groups: list[AllocateGroupsItem] | None = None, keep_liquid: AllocateKeepLiquid | None = None, max_turnover: float | None = None, horizon_epochs: int | None = None, explain: bool | None = None, alternatives: bool | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> AllocateReply:
        """The optimal split of an amount.

        Splits the amount over validators your tier can see for the highest risk-adjusted yield of the stated model, your own dilution included. Amounts sum to `amount`, less what `keepLiquid` holds back. With `existing` or `owner`, your present stake stays and the total is optimised. The certificate bounds what any other split over them could reach. `build_batch` stakes all of it in one transaction.
        """
        return self._call("allocate", {"amount": amount, "maxValidators": max_validators, "existing": existing, "owner": owner, "riskAversion": risk_aversion, "maxShare": max_share, "exclude": exclude, "minScore": min_score, "maxCommission": max_commission, "groups": groups, "keepLiquid": keep_liquid, "maxTurnover": max_turnover, "horizonEpochs": horizon_epochs, "explain": explain, "alternatives": alternatives}, _Options(timeout, retries, on_answer))

    def plan_rebalance(self, *, positions: list[PlanRebalancePositionsItem] | None = None, owner: str | None = None, max_targets: int | None = None, risk_aversion: float | None = None, max_share: float | None = None, exclude: list[str] | None = None, min_score: float | None = None, max_commission: float | None = None, groups: list[PlanRebalanceGroupsItem] | None = None, keep_liquid: PlanRebalanceKeepLiquid | None = None, max_turnover: float | None = None, horizon_epochs: int | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> PlanRebalanceReply:
        """Whether and how to move existing stake.

        Compares what you hold, accrued rewards included, with the optimum, net of what switching costs, and returns the fewest steps that pay, or none. `calls` lists the calls of the plan: make each in its epoch, then sign and submit what it builds. Name your tokens in `positions`, or give their `owner`. Builder tier or higher.
        """
        return self._call("plan_rebalance", {"positions": positions, "owner": owner, "maxTargets": max_targets, "riskAversion": risk_aversion, "maxShare": max_share, "exclude": exclude, "minScore": min_score, "maxCommission": max_commission, "groups": groups, "keepLiquid": keep_liquid, "maxTurnover": max_turnover, "horizonEpochs": horizon_epochs}, _Options(timeout, retries, on_answer))

    def backtest(self, *, amount: str, max_validators: int | None = None, epochs: int | None = None, every_epochs: int | None = None, risk_aversion: float | None = None, max_share: float | None = None, exclude: list[str] | None = None, min_score: float | None = None, max_commission: float | None = None, groups: list[BacktestGroupsItem] | None = None, max_turnover: float | None = None, horizon_epochs: int | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> BacktestReply:
        """What a policy would have earned.

        Walks through the last epochs on record: allocates `amount` by your limits as it would have been done then, follows every plan, and counts the actual rewards, less your own dilution; stake that moves earns nothing in the epoch in which it arrives. For comparison: holding, two simple rules, and an oracle. One backtest runs at a time, over at most 20,000 records (validators × epochs).
        """
        return self._call("backtest", {"amount": amount, "maxValidators": max_validators, "epochs": epochs, "everyEpochs": every_epochs, "riskAversion": risk_aversion, "maxShare": max_share, "exclude": exclude, "minScore": min_score, "maxCommission": max_commission, "groups": groups, "maxTurnover": max_turnover, "horizonEpochs": horizon_epochs}, _Options(timeout, retries, on_answer))

    def positions(self, *, owner: str, state: Literal["pending", "active", "withdrawing", "withdrawable"] | None = None, limit: int | None = None, cursor: str | None = None, sort: Literal["stakedTokenId", "validatorId", "name", "principal", "rewards", "activationEpoch"] | None = None, order: Literal["asc", "desc"] | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> PositionsReply:
        """Staked tokens of an address.

        The staked tokens of an address, each with its rewards so far, its state and what may be done with it next. In pages: pass `nextCursor` as `cursor`; null: the last page.
        """
        return self._call("positions", {"owner": owner, "state": state, "limit": limit, "cursor": cursor, "sort": sort, "order": order, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def rewards(self, *, owner: str, epochs: int | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RewardsReply:
        """Rewards of an address.

        What the staked tokens of an address have earned, per epoch and in sum, exact from exchange rates, and what can be withdrawn now. Withdrawn tokens do not count.
        """
        return self._call("rewards", {"owner": owner, "epochs": epochs, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def delegators(self, *, validator_id: str, cursor: str | None = None, limit: int | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> DelegatorsReply:
        """Who stakes with a validator.

        Who stakes with a validator, by address. While no list is available, `syncing` is true and the list empty; a real chain has one only where the operator has configured a source.
        """
        return self._call("delegators", {"validatorId": validator_id, "cursor": cursor, "limit": limit, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def build_stake(self, *, validator_id: str, amount: str, sender: str | None = None, approval_id: str | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> BuildStakeReply:
        """Parameters to stake.

        Call parameters that stake the amount with the validator. You sign and submit.
        """
        return self._call("build_stake", {"validatorId": validator_id, "amount": amount, "sender": sender, "approvalId": approval_id}, _Options(timeout, retries, on_answer, idempotency_key))

    def build_unstake(self, *, staked_token_id: str, amount: str | None = None, sender: str | None = None, approval_id: str | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> BuildUnstakeReply:
        """Parameters to unstake.

        Call parameters that request the withdrawal of a stake; with `amount`, of only that much principal (split off first). Stake that is not active yet, or lies with an inactive validator, gives withdraw parameters.
        """
        return self._call("build_unstake", {"stakedTokenId": staked_token_id, "amount": amount, "sender": sender, "approvalId": approval_id}, _Options(timeout, retries, on_answer, idempotency_key))

    def build_withdraw(self, *, staked_token_id: str, sender: str | None = None, approval_id: str | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> BuildWithdrawReply:
        """Parameters to withdraw.

        Call parameters that pay out principal and rewards once the withdrawal is due.
        """
        return self._call("build_withdraw", {"stakedTokenId": staked_token_id, "sender": sender, "approvalId": approval_id}, _Options(timeout, retries, on_answer, idempotency_key))

    def build_join(self, *, staked_token_ids: list[str], sender: str | None = None, approval_id: str | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> BuildJoinReply:
        """Parameters to join staked tokens.

        Call parameters that join 2 to 10 staked tokens into one. They must have one owner, validator, activation epoch and state; nothing is staked or paid out.
        """
        return self._call("build_join", {"stakedTokenIds": staked_token_ids, "sender": sender, "approvalId": approval_id}, _Options(timeout, retries, on_answer, idempotency_key))

    def build_batch(self, *, items: list[BuildBatchItemsItem1 | BuildBatchItemsItem2 | BuildBatchItemsItem3 | BuildBatchItemsItem4], sender: str | None = None, approval_id: str | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> BuildBatchReply:
        """Parameters for several actions at once.

        Call parameters of one transaction that does up to 50 actions, all or none: a whole allocation, for example, with `action` stake and the `validatorId` and `amount` of each part. An item that the chain would refuse is named, and nothing is built.
        """
        return self._call("build_batch", {"items": items, "sender": sender, "approvalId": approval_id}, _Options(timeout, retries, on_answer, idempotency_key))

    def read_policy(self, *, id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ReadPolicyReply:
        """Policy of an agent.

        The policy in force. The header `ETag` has its revision, for `If-Match`.
        """
        return self._call("read_policy", {"id": id}, _Options(timeout, retries, on_answer))

    def write_policy(self, *, id: str, rules: list[WritePolicyRulesItem1 | WritePolicyRulesItem2 | WritePolicyRulesItem3 | WritePolicyRulesItem4 | WritePolicyRulesItem5 | WritePolicyRulesItem6 | WritePolicyRulesItem7 | WritePolicyRulesItem8 | WritePolicyRulesItem9 | WritePolicyRulesItem10 | WritePolicyRulesItem11 | WritePolicyRulesItem12 | WritePolicyRulesItem13 | WritePolicyRulesItem14 | WritePolicyRulesItem15], loosen_after_seconds: int | None = None, revision: int | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> WritePolicyReply:
        """Set the policy of an agent.

        In force from the commit on, on every instance. From the second revision on, `If-Match` or `revision` is required and names the one that is replaced: 400 without it, 412 when another one is in force. Revisions never change, and none is removed. At most 100 changes within 24 hours, and 20 revisions in force at once; a change that only pauses the agent is always accepted.
        """
        return self._call("write_policy", {"id": id, "rules": rules, "loosenAfterSeconds": loosen_after_seconds, "revision": revision}, _Options(timeout, retries, on_answer))

    def policy_revisions(self, *, id: str, cursor: str | None = None, limit: int | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> PolicyRevisionsReply:
        """Revisions of the policy.

        Revisions, newest first, with who wrote them.
        """
        return self._call("policy_revisions", {"id": id, "cursor": cursor, "limit": limit, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def own_policy(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> OwnPolicyReply:
        """Policy of this key.

        The policy of the agent whose key is sent.
        """
        return self._call("own_policy", {}, _Options(timeout, retries, on_answer))

    def release_reservation(self, *, intent_id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ReleaseReservationReply:
        """Release the reservation of an unsigned transaction.

        A built transaction counts against the windows of the policy and reserves the staked tokens that it names. If it will not be signed, release it: then it no longer counts. Refused if the chain shows that it was executed. May be repeated.
        """
        return self._call("release_reservation", {"intentId": intent_id}, _Options(timeout, retries, on_answer))

    def simulate_policy(self, *, items: list[SimulatePolicyItemsItem1 | SimulatePolicyItemsItem2 | SimulatePolicyItemsItem3 | SimulatePolicyItemsItem4], sender: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> SimulatePolicyReply:
        """Ask whether a transaction would be allowed.

        The same check as before a build, without building: all items are one transaction, as with `build_batch`. Lists every rule that it breaks.
        """
        return self._call("simulate_policy", {"items": items, "sender": sender}, _Options(timeout, retries, on_answer))

    def list_approvals(self, *, id: str, cursor: str | None = None, limit: int | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ListApprovalsReply:
        """Approvals of an agent.

        Newest first.
        """
        return self._call("list_approvals", {"id": id, "cursor": cursor, "limit": limit, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def waiting_approvals(self, *, cursor: str | None = None, limit: int | None = None, state: Literal["waiting", "approved", "refused", "used", "expired", "decided"] | None = None, all: bool | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> WaitingApprovalsReply:
        """Approvals of all your agents.

        Transactions that wait for your decision or, with `state`, that were decided or have expired, newest first, each with the agent that asks.
        """
        return self._call("waiting_approvals", {"cursor": cursor, "limit": limit, "state": state, "all": all, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def read_approval(self, *, id: str, approval_id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ReadApprovalReply:
        """One approval.

        What the transaction would do, which rule asked for approval, and what became of it.
        """
        return self._call("read_approval", {"id": id, "approvalId": approval_id}, _Options(timeout, retries, on_answer))

    def decide_approval(self, *, id: str, approval_id: str, decision: Literal["approve", "refuse"], timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> DecideApprovalReply:
        """Approve or refuse a transaction.

        An approval lets exactly this transaction be built once, if it still complies with the policy then. An approval that is not used yet can still be refused; a refusal is final. May be repeated.
        """
        return self._call("decide_approval", {"id": id, "approvalId": approval_id, "decision": decision}, _Options(timeout, retries, on_answer))

    def list_reservations(self, *, id: str, cursor: str | None = None, limit: int | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ListReservationsReply:
        """Built transactions that count against the policy.

        Newest first, without the released ones. Without a rule about amounts in the policy nothing is reserved.
        """
        return self._call("list_reservations", {"id": id, "cursor": cursor, "limit": limit, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def cancel_reservation(self, *, id: str, reservation_id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> CancelReservationReply:
        """Release a reservation of the agent.

        For the owner, where the agent has not done it: the transaction must not be signed any more, and no longer counts. Refused if the chain shows that it was executed. May be repeated.
        """
        return self._call("cancel_reservation", {"id": id, "reservationId": reservation_id}, _Options(timeout, retries, on_answer))

    def intent_keys(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> IntentKeysReply:
        """Keys that intents are signed with.

        The public keys that intents are signed with: past, present and coming ones, as a JWK set. Keep it: `stakewright verify --keys` checks an intent with it, offline.
        """
        return self._call("intent_keys", {}, _Options(timeout, retries, on_answer))

    def sandbox_key(self, *, agent_name: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> SandboxKeyReply:
        """A builder key for the simulated chain.

        An active builder key at once, without a mail. Only on the sandbox; 100 an hour per address.
        """
        return self._call("sandbox_key", {"agentName": agent_name}, _Options(timeout, retries, on_answer))

    def sandbox_execute(self, *, sender: str, commands: list[SandboxExecuteCommandsItem1 | SandboxExecuteCommandsItem2 | SandboxExecuteCommandsItem3], intent: SandboxExecuteIntent | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> SandboxExecuteReply:
        """Run commands on the simulated chain.

        Runs `commands` as `sender`, all or nothing, by the contract’s rules. Each agent is lent up to 100,000,000 tokens; what is withdrawn is paid back.
        """
        return self._call("sandbox_execute", {"sender": sender, "commands": commands, "intent": intent}, _Options(timeout, retries, on_answer))

    def sandbox_advance(self, *, epochs: int | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> SandboxAdvanceReply:
        """Move the simulated chain’s time.

        Completes `epochs` epochs; the next starts now. At most 1,000 an hour by an agent, 2,000 by one address.
        """
        return self._call("sandbox_advance", {"epochs": epochs}, _Options(timeout, retries, on_answer))

    def self_register(self, *, agent_name: str, email: str | None = None, address: str | None = None, nonce: str | None = None, signature: str | None = None, agent_type: Literal["autonomous", "assistant", "bot", "service", "other"] | None = None, wallet_address: str | None = None, tier: Literal["free", "builder", "pro", "enterprise"] | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> SelfRegisterReply:
        """Register an agent.

        Returns a key of the tier free at once. With `email` it works after the link in the mail was used, and the answer is the same whether or not the address is known. With `address`, `nonce` and `signature` (see `wallet_challenge`) the wallet is the owner, and the key works at once.
        """
        return self._call("self_register", {"email": email, "address": address, "nonce": nonce, "signature": signature, "agentName": agent_name, "agentType": agent_type, "walletAddress": wallet_address, "tier": tier}, _Options(timeout, retries, on_answer, idempotency_key))

    def wallet_challenge(self, *, address: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> WalletChallengeReply:
        """A text for a wallet to sign.

        Returns a `message`: sign it as a personal message with the wallet of the address, and send the signature with `nonce` to `self_register`. Signing in takes them as well. Each challenge is good for one use within 5 minutes.
        """
        return self._call("wallet_challenge", {"address": address}, _Options(timeout, retries, on_answer))

    def verify_email(self, *, token: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> VerifyEmailReply:
        """Verify the e-mail address.

        Activates the key. May be repeated for 24 hours.
        """
        return self._call("verify_email", {"token": token}, _Options(timeout, retries, on_answer))

    def resend_verification(self, *, email: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ResendVerificationReply:
        """Send the verification mail again.

        Mails a new link. The answer is always the same, so it does not tell whether an address is known.
        """
        return self._call("resend_verification", {"email": email}, _Options(timeout, retries, on_answer))

    def list_agents(self, *, cursor: str | None = None, limit: int | None = None, all: bool | None = None, search: str | None = None, status: Literal["pending_verification", "active", "revoked", "expired", "suspended"] | None = None, except_name: str | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ListAgentsReply:
        """Your agents.

        Every agent registered with your verified e-mail address, newest first, unverified ones last.
        """
        return self._call("list_agents", {"cursor": cursor, "limit": limit, "all": all, "search": search, "status": status, "exceptName": except_name, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def read_agent(self, *, id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ReadAgentReply:
        """One of your agents.

        As in the list; admins read those of everybody.
        """
        return self._call("read_agent", {"id": id}, _Options(timeout, retries, on_answer))

    def register_agent(self, *, agent_name: str, tier: Literal["free", "builder", "pro", "enterprise"] | None = None, agent_type: Literal["autonomous", "assistant", "bot", "service", "other"] | None = None, email: str | None = None, rate_limits: RegisterAgentRateLimits | None = None, replaces: str | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RegisterAgentReply:
        """Register an agent as a user.

        The key is active at once. Users register for themselves, free or builder. Admins may set any tier, owner and limits, and promote an agent with `replaces`: its old key is refused from the same commit on, and its policy applies to the new agent.
        """
        return self._call("register_agent", {"agentName": agent_name, "tier": tier, "agentType": agent_type, "email": email, "rateLimits": rate_limits, "replaces": replaces}, _Options(timeout, retries, on_answer, idempotency_key))

    def update_agent(self, *, id: str, status: Literal["active", "suspended"] | None = None, rate_limits: UpdateAgentRateLimits | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> UpdateAgentReply:
        """Suspend, resume or set limits.

        Admins only.
        """
        return self._call("update_agent", {"id": id, "status": status, "rateLimits": rate_limits}, _Options(timeout, retries, on_answer))

    def rotate_key(self, *, id: str, grace_period_seconds: int | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RotateKeyReply:
        """Replace the key.

        The old key is refused from the commit on, unless you ask for a grace period; `previousKey` of the agent shows it, and revoking the key `previous` ends it early. Limits are those of the agent: rotation does not reset what is used of them.
        """
        return self._call("rotate_key", {"id": id, "gracePeriodSeconds": grace_period_seconds}, _Options(timeout, retries, on_answer, idempotency_key))

    def revoke_agent(self, *, id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RevokeAgentReply:
        """Revoke an agent.

        Its key is refused from the commit on, for good. May be repeated.
        """
        return self._call("revoke_agent", {"id": id}, _Options(timeout, retries, on_answer))

    def agent_profile(self, *, id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> AgentProfileReply:
        """Behaviour over 30 days.

        How the agent used the service: comparing, computing, checking rules.
        """
        return self._call("agent_profile", {"id": id}, _Options(timeout, retries, on_answer))

    def list_keys(self, *, id: str, limit: int | None = None, cursor: str | None = None, sort: Literal["createdAt", "name", "status", "expiresAt", "lastUsedAt"] | None = None, order: Literal["asc", "desc"] | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ListKeysReply:
        """Named keys of an agent.

        Keys beside the primary one, newest first; the newest 100 ended ones stay for 30 days. The primary key is in the list of agents.
        """
        return self._call("list_keys", {"id": id, "limit": limit, "cursor": cursor, "sort": sort, "order": order, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def create_key(self, *, id: str, name: str, scopes: list[Literal["read", "build", "manage-self"]] | None = None, allowed_networks: list[str] | None = None, expires_at: str | None = None, idempotency_key: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> CreateKeyReply:
        """Add a named key.

        Active at once. It has the tier and the quota of its agent, and only the scopes, networks and time that it is given; rotation replaces the primary key only. At most 20 named keys of an agent work at a time.
        """
        return self._call("create_key", {"id": id, "name": name, "scopes": scopes, "allowedNetworks": allowed_networks, "expiresAt": expires_at}, _Options(timeout, retries, on_answer, idempotency_key))

    def revoke_key(self, *, id: str, key_id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RevokeKeyReply:
        """Revoke a named key.

        It is refused from the commit on; the agent and its other keys continue to work. May be repeated. The id `previous` ends the grace period of a rotation.
        """
        return self._call("revoke_key", {"id": id, "keyId": key_id}, _Options(timeout, retries, on_answer))

    def revoke_self(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RevokeSelfReply:
        """Revoke this key.

        The key that is sent ends itself and its agent, for good; no sign-in is needed. A named key, or a replaced one in its grace period, ends alone. The call works also when the limits of the key are used up. If it is refused, report the key as leaked.
        """
        return self._call("revoke_self", {}, _Options(timeout, retries, on_answer))

    def report_leak(self, *, api_key: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ReportLeakReply:
        """Report a leaked key.

        For anybody who has found a key. If it works, it is revoked at once and its owner gets a mail. The answer is always the same.
        """
        return self._call("report_leak", {"apiKey": api_key}, _Options(timeout, retries, on_answer))

    def agent_audit(self, *, id: str, cursor: str | None = None, limit: int | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> AgentAuditReply:
        """Audit log of an agent.

        Requests of the agent and management actions on it (`action` is not null), newest first, as the audit log has them.
        """
        return self._call("agent_audit", {"id": id, "cursor": cursor, "limit": limit, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def list_actions(self, *, cursor: str | None = None, limit: int | None = None, agent_id: str | None = None, actor: str | None = None, action: Literal["register", "self-register", "activate", "create-sandbox-key", "replace", "rotate", "revoke", "suspend", "resume", "set-limits", "revoke-self", "report-leak", "create-key", "revoke-key", "set-policy", "approve-transaction", "refuse-transaction", "release-reservation", "sign-in", "issue-token", "end-session", "begin-totp", "enrol-totp", "remove-totp", "reset-totp", "renew-recovery-codes", "use-recovery-code", "refuse-totp"] | None = None, from_: str | None = None, to: str | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ListActionsReply:
        """Management actions on all agents.

        Admins only: who did what to which agent, and who signed in, newest first. With `Accept: application/x-ndjson` the entries come as one JSON object per line, `limit` of them or, without it, up to 10,000, and the header `X-Next-Cursor` says where to go on. Requests of one agent are at `/api/v1/agents/{id}/audit`.
        """
        return self._call("list_actions", {"cursor": cursor, "limit": limit, "agentId": agent_id, "actor": actor, "action": action, "from": from_, "to": to, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def service_status(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ServiceStatusReply:
        """State of the service.

        Admins only: the stores, the leader, the age of the data and the nodes they come from, as the instance that answers sees them.
        """
        return self._call("service_status", {}, _Options(timeout, retries, on_answer))

    def verify_audit(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> VerifyAuditReply:
        """Verify the audit log.

        Admins only: reads the whole log and says whether anything in it was changed, dropped, swapped, added or cut off. Calls during a verification get its result. A long log takes longer than a request may last: the answer is `timeout`, the reading goes on, and a later call gets its result.
        """
        return self._call("verify_audit", {}, _Options(timeout, retries, on_answer))

    def request_code(self, *, email: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RequestCodeReply:
        """Ask for a sign-in code.

        Mails a 6-digit code that is good for 10 minutes and 5 tries from each network, and a long one that is good for 6 hours, whatever others try. Answers 202 whether or not the address is known.
        """
        return self._call("request_code", {"email": email}, _Options(timeout, retries, on_answer))

    def exchange_code(self, *, email: str | None = None, address: str | None = None, nonce: str | None = None, signature: str | None = None, code: str | None = None, totp: str | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ExchangeCodeReply:
        """Exchange the code for a token.

        Returns the JWT for the management endpoints, for the code of a mail or for the signature of a wallet (see `wallet_challenge`). Of an admin with an authenticator app it takes `totp` too: without it a right code is refused with `details` that name `totp`, and not used up.
        """
        return self._call("exchange_code", {"email": email, "address": address, "nonce": nonce, "signature": signature, "code": code, "totp": totp}, _Options(timeout, retries, on_answer))

    def list_sessions(self, *, limit: int | None = None, cursor: str | None = None, sort: Literal["createdAt", "expiresAt", "ip"] | None = None, order: Literal["asc", "desc"] | None = None, fields: str | None = None, view: Literal["full", "compact"] | None = None, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ListSessionsReply:
        """Your sessions.

        Every sign-in of yours whose token is still good, newest first. At most 100: one more ends the oldest.
        """
        return self._call("list_sessions", {"limit": limit, "cursor": cursor, "sort": sort, "order": order, "fields": fields, "view": view}, _Options(timeout, retries, on_answer))

    def end_session(self, *, id: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> EndSessionReply:
        """End a session.

        Its token is refused from the commit on, on every instance. With the id of the current session it signs out.
        """
        return self._call("end_session", {"id": id}, _Options(timeout, retries, on_answer))

    def totp_state(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> TotpStateReply:
        """Your second factor.

        Admins only: whether an authenticator app is enrolled, and how many recovery codes are left.
        """
        return self._call("totp_state", {}, _Options(timeout, retries, on_answer))

    def enrol_totp(self, *, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> EnrolTotpReply:
        """Begin to enrol an authenticator app.

        Admins only, soon after the sign-in. Returns a new secret, once; it takes effect with `confirm_totp`, which must follow within 15 minutes. Asking again replaces a secret that was not confirmed.
        """
        return self._call("enrol_totp", {}, _Options(timeout, retries, on_answer))

    def confirm_totp(self, *, code: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> ConfirmTotpReply:
        """Confirm the authenticator app.

        Admins only. A code of the app proves that it has the secret: from here on each sign-in takes one. Ends every session of yours, this one too, and returns 10 recovery codes, once.
        """
        return self._call("confirm_totp", {"code": code}, _Options(timeout, retries, on_answer))

    def renew_recovery_codes(self, *, code: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RenewRecoveryCodesReply:
        """Replace your recovery codes.

        Admins only, soon after the sign-in. Takes a code of the app that was not used yet; a recovery code is not enough, so that nobody can make new ones with one that was found. Returns 10 new recovery codes, once: all earlier ones stop working in the same moment. You are told by mail.
        """
        return self._call("renew_recovery_codes", {"code": code}, _Options(timeout, retries, on_answer))

    def remove_totp(self, *, code: str, timeout: float | None = None, retries: int | None = None, on_answer: Callable[[Answer], None] | None = None) -> RemoveTotpReply:
        """Remove the authenticator app.

        Admins only. Takes a code that was not used yet, of the app or for recovery.
        """
        return self._call("remove_totp", {"code": code}, _Options(timeout, retries, on_answer))

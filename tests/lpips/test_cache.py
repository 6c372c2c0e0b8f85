"""Features that are kept: found by what a picture is, and never more than fits."""

import numpy as np

from grader.lpips.cache import FeatureCache


class Tensor:
    """Stands for a tensor of so many bytes."""

    def __init__(self, size: int) -> None:
        self._size = size

    def element_size(self) -> int:
        return 1

    def nelement(self) -> int:
        return self._size


def picture(value: int, dtype: type = np.uint8, shape: tuple[int, ...] = (2, 6, 3)) -> np.ndarray:
    return np.full(shape, value, dtype)


def test_a_key_is_what_a_picture_is():
    key = FeatureCache.key_of
    assert key(picture(1)) == key(picture(1).copy())
    assert key(np.asfortranarray(picture(1))) == key(picture(1))
    others = [picture(2), picture(1, np.float32), picture(1, shape=(6, 2, 3)), picture(1)[:, ::2]]
    assert len({key(one) for one in [picture(1), *others]}) == 5


def test_what_was_used_longest_ago_makes_room():
    cache = FeatureCache(100)
    keys = [FeatureCache.key_of(picture(value)) for value in range(4)]
    for key in keys[:3]:
        cache.put(key, [Tensor(10), Tensor(20)])  # 30 bytes each
    assert cache.get(keys[0]) is not None  # so the second was used longest ago
    cache.put(keys[3], [Tensor(30)])  # 120 bytes are over 100
    assert [cache.get(key) is not None for key in keys] == [True, False, True, True]
    assert cache.bytes_kept == 90


def test_what_is_too_large_is_not_kept_and_costs_nothing():
    cache = FeatureCache(100)
    small, large = (FeatureCache.key_of(picture(value)) for value in range(2))
    cache.put(small, [Tensor(100)])
    cache.put(large, [Tensor(101)])
    assert (cache.get(large), cache.bytes_kept) == (None, 100)
    cache.put(small, [Tensor(100)])  # twice the same is kept once
    assert cache.bytes_kept == 100

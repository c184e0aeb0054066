// What     The payload reader on payloads made by hand from the manifest's field lists, cut at every length.
// What not Real payloads: clr_runtime_event_recorded_test.
#include "clr/runtime_event.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "clr/event_tier.h"

namespace {

using namespace tierup;
using namespace tierup::clr;

/// Fields behind one another, as ClrEtwAll.man lists them.
class Payload {
public:
    template <typename Number>
    Payload& add(Number number) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&number);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof number);
        return *this;
    }
    Payload& add_text(const std::u16string& text) {
        for (const char16_t unit : text) {
            add(unit);
        }
        return add(u'\0');
    }
    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

Payload load_head(std::uint32_t flags) {
    return Payload()
        .add(std::uint64_t{0x1111})
        .add(std::uint64_t{0x2222})
        .add(std::uint64_t{0x3333})
        .add(std::uint32_t{44})
        .add(std::uint32_t{0x06000005})
        .add(flags);
}
Payload load_v1(std::uint32_t flags) {
    return load_head(flags).add(std::uint16_t{9});
}
Payload load_v2(std::uint32_t flags) {
    return load_v1(flags).add(std::uint64_t{77});
}
Payload verbose_v2() {
    return load_head(0x208).add_text(u"N.C").add_text(u"").add_text(u"void ()").add(std::uint16_t{9}).add(std::uint64_t{77});
}
Payload jit_started_v1() {
    return Payload()
        .add(std::uint64_t{0x1111})
        .add(std::uint64_t{0x2222})
        .add(std::uint32_t{0x06000005})
        .add(std::uint32_t{12})
        .add_text(u"N.C")
        .add_text(u"M")
        .add_text(u"s")
        .add(std::uint16_t{9});
}

Status read(std::uint32_t id, std::uint32_t version, const std::vector<std::uint8_t>& bytes, RuntimeEvent& event) {
    return read_runtime_event(id, version, bytes.data(), bytes.size(), event);
}

std::u16string text_of(const Utf16Text& text) {
    return {text.text, text.units};
}

TEST(RuntimeEvent, a_method_load_has_its_fields) {
    RuntimeEvent event;
    ASSERT_EQ(read(141, 2, load_v2(0x209).bytes(), event), Status::ok);
    EXPECT_EQ(event.kind, RuntimeEventKind::method_loaded);
    EXPECT_EQ(event.method, Address(0x1111));
    EXPECT_EQ(event.module, Address(0x2222));
    EXPECT_EQ(event.code, Address(0x3333));
    EXPECT_EQ(event.code_bytes, 44u);
    EXPECT_EQ(event.token, 0x06000005u);
    EXPECT_EQ(event.tier, Tier::tier1);
    EXPECT_TRUE(event.is_dynamic);
    EXPECT_EQ(event.rejit_id, 77u);
    EXPECT_EQ(event.method_name.units, 0u);
    ASSERT_EQ(read(141, 1, load_v1(0x208).bytes(), event), Status::ok);
    EXPECT_EQ(event.rejit_id, 0u);
    EXPECT_FALSE(event.is_dynamic);
}

TEST(RuntimeEvent, names_point_into_the_payload_and_may_be_empty) {
    const Payload payload = verbose_v2();
    RuntimeEvent event;
    ASSERT_EQ(read(143, 2, payload.bytes(), event), Status::ok);
    EXPECT_EQ(text_of(event.method_namespace), u"N.C");
    EXPECT_EQ(text_of(event.method_name), u"");
    EXPECT_EQ(text_of(event.method_signature), u"void ()");
    EXPECT_EQ(reinterpret_cast<const std::uint8_t*>(event.method_namespace.text), payload.bytes().data() + 36);
    EXPECT_EQ(event.rejit_id, 77u);
}

TEST(RuntimeEvent, a_jit_start_has_its_il_size_and_no_tier) {
    RuntimeEvent event;
    const Payload payload = jit_started_v1();
    ASSERT_EQ(read(145, 1, payload.bytes(), event), Status::ok);
    EXPECT_EQ(event.kind, RuntimeEventKind::jit_started);
    EXPECT_EQ(event.method, Address(0x1111));
    EXPECT_EQ(event.il_bytes, 12u);
    EXPECT_EQ(event.tier, Tier::unknown);
    EXPECT_EQ(text_of(event.method_name), u"M");
}

TEST(RuntimeEvent, tiering_events_have_their_counts) {
    RuntimeEvent event;
    ASSERT_EQ(read(281, 0, Payload().add(std::uint16_t{9}).bytes(), event), Status::ok);
    EXPECT_EQ(event.kind, RuntimeEventKind::delay_began);
    ASSERT_EQ(read(282, 0, Payload().add(std::uint16_t{9}).add(std::uint32_t{3}).bytes(), event), Status::ok);
    EXPECT_EQ(event.kind, RuntimeEventKind::delay_ended);
    EXPECT_EQ(event.method_count, 3u);
    ASSERT_EQ(read(283, 0, Payload().add(std::uint16_t{9}).add(std::uint32_t{4}).bytes(), event), Status::ok);
    EXPECT_EQ(event.kind, RuntimeEventKind::batch_began);
    EXPECT_EQ(event.method_count, 4u);
    ASSERT_EQ(read(284, 0, Payload().add(std::uint16_t{9}).add(std::uint32_t{5}).add(std::uint32_t{6}).bytes(), event), Status::ok);
    EXPECT_EQ(event.kind, RuntimeEventKind::batch_ended);
    EXPECT_EQ(event.method_count, 5u);
    EXPECT_EQ(event.jitted_count, 6u);
}

struct Sample {
    std::uint32_t id;
    std::uint32_t version;
    std::vector<std::uint8_t> bytes;
};

std::vector<Sample> samples() {
    return {{141, 1, load_v1(0).bytes()},
            {141, 2, load_v2(0).bytes()},
            {143, 2, verbose_v2().bytes()},
            {145, 1, jit_started_v1().bytes()},
            {281, 0, Payload().add(std::uint16_t{0}).bytes()},
            {282, 0, Payload().add(std::uint16_t{0}).add(std::uint32_t{0}).bytes()},
            {283, 0, Payload().add(std::uint16_t{0}).add(std::uint32_t{0}).bytes()},
            {284, 0, Payload().add(std::uint16_t{0}).add(std::uint64_t{0}).bytes()}};
}

TEST(RuntimeEvent, a_payload_cut_anywhere_is_no_event_and_nothing_behind_its_end_is_read) {
    for (const Sample& sample : samples()) {
        for (std::size_t bytes = 0; bytes < sample.bytes.size(); ++bytes) {
            // A block of exactly that size, so that the sanitizer sees a read behind it.
            const std::unique_ptr<std::uint8_t[]> cut(new std::uint8_t[bytes]);
            std::memcpy(cut.get(), sample.bytes.data(), bytes);
            RuntimeEvent event;
            event.token = 5;
            EXPECT_EQ(read_runtime_event(sample.id, sample.version, cut.get(), bytes, event), Status::unsupported)
                << sample.id << " at " << bytes;
            EXPECT_EQ(event.token, 0u) << "a half read event must not be taken for one";
        }
    }
}

TEST(RuntimeEvent, a_later_version_with_more_at_its_end_is_read) {
    for (Sample sample : samples()) {
        sample.bytes.insert(sample.bytes.end(), 24, 0xCC);
        RuntimeEvent event;
        EXPECT_EQ(read(sample.id, 7, sample.bytes, event), Status::ok) << sample.id;
    }
}

TEST(RuntimeEvent, a_text_without_its_zero_is_no_event) {
    Payload payload = load_head(0);
    for (int i = 0; i < 40; ++i) {
        payload.add(u'x');
    }
    RuntimeEvent event;
    EXPECT_EQ(read(143, 1, payload.bytes(), event), Status::unsupported);
}

TEST(RuntimeEvent, a_text_at_an_odd_address_is_no_event) {
    std::vector<std::uint8_t> bytes = jit_started_v1().bytes();
    bytes.insert(bytes.begin(), 0);
    RuntimeEvent event;
    EXPECT_EQ(read_runtime_event(145, 1, bytes.data() + 1, bytes.size() - 1, event), Status::unsupported);
}

TEST(RuntimeEvent, other_events_version_0_and_a_null_payload_are_no_events) {
    RuntimeEvent event;
    const std::vector<std::uint8_t> long_enough(200, 0);
    for (const std::uint32_t id : {0u, 1u, 140u, 142u, 144u, 146u, 280u, 285u, 0xFFFFFFFFu}) {
        EXPECT_EQ(read(id, 1, long_enough, event), Status::unsupported) << id;
    }
    for (const std::uint32_t id : {141u, 143u, 145u}) {
        EXPECT_EQ(read(id, 0, long_enough, event), Status::unsupported) << id;
    }
    EXPECT_EQ(read_runtime_event(281, 0, nullptr, 100, event), Status::unsupported);
}

// Numbers from prestub.cpp, PrepareCodeConfig::JitOptimizationTier.
TEST(EventTier, each_number_has_its_tier) {
    constexpr Tier kExpected[] = {Tier::unknown, Tier::min_opt,   Tier::optimized,          Tier::tier0,
                                  Tier::tier1,   Tier::tier1_osr, Tier::tier0_instrumented, Tier::tier1_instrumented};
    for (std::uint32_t number = 0; number < 8; ++number) {
        EXPECT_EQ(to_tier(event_tier_of(number << 7 | 0x0F)), kExpected[number]) << number;
        EXPECT_EQ(to_tier(event_tier_of(number << 7 | 0xF000'0C7F)), kExpected[number]) << "bits around it don't count";
    }
}

}  // namespace

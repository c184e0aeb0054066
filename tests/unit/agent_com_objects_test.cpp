// What     The COM objects as the runtime uses them: every slot, every interface id, every argument that can be null.
#include "agent/com_objects.h"

#include <array>

#include <gtest/gtest.h>

namespace {

using namespace tierup;
using namespace tierup::agent;

struct Receiver : CallbackReceiver {
    clr::Hresult on_initialize(clr::ClrUnknown& runtime, LoadedBy loaded_by) noexcept override {
        initialized = &runtime;
        by = loaded_by;
        return 7;
    }
    void on_payload(std::uint32_t event_id, std::uint32_t event_version, const std::uint8_t* payload, std::size_t bytes) noexcept override {
        id = event_id;
        version = event_version;
        data = payload;
        data_bytes = bytes;
    }
    void on_shutdown() noexcept override { ++shutdowns; }
    void on_detached() noexcept override { ++detaches; }

    clr::ClrUnknown* initialized = nullptr;
    LoadedBy by{};
    std::uint32_t id = 0;
    std::uint32_t version = 0;
    const std::uint8_t* data = nullptr;
    std::size_t data_bytes = 0;
    int shutdowns = 0;
    int detaches = 0;
};

struct ComObjects : ::testing::Test {
    Receiver receiver;
    ProfilerCallbackObject callback{&kProfilerCallbackTable, &receiver};
    ClassFactoryObject factory{&kClassFactoryTable, &callback};
    clr::ClrUnknown runtime{nullptr};
};

TEST_F(ComObjects, the_factory_gives_the_one_callback_object_for_every_revision) {
    void* out = nullptr;
    ASSERT_EQ(query_class_factory(factory, &clr::kIidClassFactory, &out), clr::kOk);
    EXPECT_EQ(out, &factory);
    ASSERT_EQ(query_class_factory(factory, &clr::kIidUnknown, &out), clr::kOk);
    for (const clr::Guid& iid : clr::kIidProfilerCallbacks) {
        out = nullptr;
        EXPECT_EQ(factory.slots->create_instance(&factory, nullptr, &iid, &out), clr::kOk);
        EXPECT_EQ(out, &callback);
        EXPECT_EQ(callback.slots->unknown.query_interface(&callback, &iid, &out), clr::kOk);
    }
    EXPECT_EQ(factory.slots->lock_server(&factory, 1), clr::kOk);
}

TEST_F(ComObjects, what_is_unknown_is_refused_with_a_null) {
    constexpr clr::Guid kOther{1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
    void* out = &out;
    EXPECT_EQ(query_class_factory(factory, &kOther, &out), clr::kNoInterface);
    EXPECT_EQ(out, nullptr);
    out = &out;
    EXPECT_EQ(callback.slots->unknown.query_interface(&callback, &clr::kIidClassFactory, &out), clr::kNoInterface);
    EXPECT_EQ(out, nullptr);
    out = &out;
    EXPECT_EQ(factory.slots->create_instance(&factory, &receiver, &clr::kIidUnknown, &out), clr::kClassNoAggregation);
    EXPECT_EQ(out, nullptr);
    EXPECT_EQ(factory.slots->create_instance(&factory, nullptr, &clr::kIidUnknown, nullptr), clr::kPointer);
    EXPECT_EQ(factory.slots->create_instance(&factory, nullptr, nullptr, &out), clr::kPointer);
    EXPECT_EQ(query_class_factory(factory, nullptr, &out), clr::kPointer);
    EXPECT_EQ(query_class_factory(factory, &kOther, nullptr), clr::kPointer);
    EXPECT_EQ(callback.slots->initialize(&callback, nullptr), clr::kPointer);
    EXPECT_EQ(callback.slots->initialize_for_attach(&callback, nullptr, nullptr, 0), clr::kPointer);
    EXPECT_EQ(callback.slots->load_as_notification_only(&callback, nullptr), clr::kPointer);
}

TEST_F(ComObjects, every_slot_can_be_called_and_those_without_use_say_ok) {
    const auto* slots = reinterpret_cast<const clr::IgnoredCallback*>(callback.slots);
    for (std::size_t slot = 0; slot < sizeof(clr::ProfilerCallbackSlots) / sizeof(void*); ++slot) {
        ASSERT_NE(slots[slot], nullptr) << slot;
        const bool has_use = slot < 5 || slot == 80 || slot == 82 || slot == 95 || slot == 97;
        if (!has_use) {
            EXPECT_EQ(slots[slot](&callback), clr::kOk) << slot;
        }
    }
    EXPECT_EQ(receiver.shutdowns + receiver.detaches, 0);
}

TEST_F(ComObjects, the_callbacks_with_use_reach_the_receiver) {
    EXPECT_EQ(callback.slots->initialize(&callback, &runtime), 7);
    EXPECT_EQ(receiver.initialized, &runtime);
    EXPECT_EQ(receiver.by, LoadedBy::startup_variables);
    EXPECT_EQ(callback.slots->initialize_for_attach(&callback, &runtime, nullptr, 0), 7);
    EXPECT_EQ(receiver.by, LoadedBy::attach);
    clr::Bool32 is_notification_only = 0;
    EXPECT_EQ(callback.slots->load_as_notification_only(&callback, &is_notification_only), clr::kOk);
    EXPECT_EQ(is_notification_only, 1);
    const std::array<std::uint8_t, 3> metadata{};
    const std::array<std::uint8_t, 5> payload{};
    EXPECT_EQ(callback.slots->event_pipe_event_delivered(&callback, 1, 281, 2, 3, metadata.data(), 5, payload.data(), nullptr, nullptr, 6,
                                                         0, nullptr),
              clr::kOk);
    EXPECT_EQ(receiver.id, 281u);
    EXPECT_EQ(receiver.version, 2u);
    EXPECT_EQ(receiver.data, payload.data());
    EXPECT_EQ(receiver.data_bytes, 5u);
    EXPECT_EQ(callback.slots->shutdown(&callback), clr::kOk);
    EXPECT_EQ(callback.slots->profiler_detach_succeeded(&callback), clr::kOk);
    EXPECT_EQ(receiver.shutdowns, 1);
    EXPECT_EQ(receiver.detaches, 1);
    EXPECT_EQ(callback.slots->unknown.add_ref(&callback), 1u);
    EXPECT_EQ(callback.slots->unknown.release(&callback), 1u);
}

}  // namespace
